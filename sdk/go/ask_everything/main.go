// An agent with the Go package: it asks one question of every kind and tells what it got. Try it:
//
//	cd sdk/go && go build -o /tmp/ask-everything ./ask_everything && palaver conform -- /tmp/ask-everything
package main

import (
	"errors"
	"fmt"

	"palaver"
)

func main() {
	_ = palaver.Serve("ask-everything", onPrompt)
}

func onPrompt(turn *palaver.Turn) error {
	questions := []struct {
		name string
		ask  func() (any, error)
	}{
		{"Colour", func() (any, error) { return turn.Select("Which colour?", []string{"red", "green"}) }},
		{"Sure", func() (any, error) { return turn.Confirm("Are you sure?") }},
		{"Name", func() (any, error) { return turn.Input("Your name?", palaver.Opts{"placeholder": "Ada"}) }},
		{"Story", func() (any, error) { return turn.Editor("Your story?", "Once upon a time") }},
		{"Service", func() (any, error) {
			return turn.Form("A service", []palaver.Object{
				{"name": "port", "kind": "number", "default": 80},
				{"name": "region", "kind": "select", "options": []string{"eu", "us"}},
			})
		}},
		{"Files", func() (any, error) { return turn.Files("Which files?", "") }},
		{"Painted", func() (any, error) {
			return turn.Permission("paint", palaver.Object{"path": "wall", "remember": true})
		}},
	}
	if err := turn.Say("Let me ask you. "); err != nil {
		return err
	}
	for _, question := range questions {
		answer, err := question.ask()
		if err != nil && !errors.Is(err, palaver.ErrCancelled) {
			return err
		}
		if err := turn.Say(fmt.Sprintf("%s: %v. ", question.name, answer)); err != nil {
			return err
		}
	}
	return nil
}
