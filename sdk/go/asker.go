package palaver

import (
	"fmt"
	"strings"
	"time"
)

// Asker has every kind of question. A question that the user closed returns ErrCancelled; Confirm and Permission say no instead.
type Asker struct {
	carry         func(method string, params Object, timeout time.Duration) (any, error)
	hasPermission bool
}

// Option is one of the things to choose from. A missing label is the value.
type Option struct{ Value, Label, Description string }

// Opts are more options of a question, under the names of docs/protocol.md (DialogOptions); `timeout_ms` is one of them.
type Opts = Object

// Permission is the whole answer to a permission question.
type Permission struct {
	OK, Remember bool
	Reason       string
}

// Select returns one of the values.
func (a *Asker) Select(title string, values []string, opts ...Opts) (string, error) {
	return a.SelectOption(title, plain(values), opts...)
}

// SelectOption is Select with labels and descriptions.
func (a *Asker) SelectOption(title string, options []Option, opts ...Opts) (string, error) {
	return answer[string](a.ask("select", Object{"title": title, "options": listed(options)}, opts))
}

// MultiSelect returns some of the values, maybe none.
func (a *Asker) MultiSelect(title string, values []string, opts ...Opts) ([]string, error) {
	several := append([]Opts{{"multiple": true}}, opts...)
	result, err := a.ask("select", Object{"title": title, "options": listed(plain(values))}, several)
	return texts(result, err)
}

// Confirm is true only if the user said yes.
func (a *Asker) Confirm(title string, opts ...Opts) (bool, error) {
	result, err := a.ask("confirm", Object{"title": title}, opts)
	if object, isObject := result.(Object); isObject {
		result = object["ok"]
	}
	return result == true, err
}

// Input returns one line of text.
func (a *Asker) Input(title string, opts ...Opts) (string, error) {
	return answer[string](a.ask("input", Object{"title": title}, opts))
}

// Editor returns several lines of text; prefill is what the user starts with.
func (a *Asker) Editor(title, prefill string, opts ...Opts) (string, error) {
	return answer[string](a.ask("editor", Object{"title": title, "prefill": prefill}, opts))
}

// Form returns the answers by name. Each field has a name, a kind and what else docs/protocol.md (FormField) says; its options
// may be a []string or a []Option.
func (a *Asker) Form(title string, fields []Object, opts ...Opts) (Object, error) {
	labelled := make([]Object, len(fields))
	for i, field := range fields {
		labelled[i] = Object{"label": field["name"]}
		for key, value := range field {
			labelled[i][key] = value
		}
		switch options := field["options"].(type) {
		case []string:
			labelled[i]["options"] = listed(plain(options))
		case []Option:
			labelled[i]["options"] = listed(options)
		}
	}
	return answer[Object](a.ask("form", Object{"title": title, "fields": labelled}, opts))
}

// Files returns paths inside the folder and relative to it; "" is the folder of the agent.
func (a *Asker) Files(title, folder string, opts ...Opts) ([]string, error) {
	params := Object{"title": title}
	if folder != "" {
		params["folder"] = folder
	}
	result, err := a.ask("files", params, opts)
	return texts(result, err)
}

// Permission asks before something is done. Say all of it: command, path, diff, danger; the user sees it. With `remember` true
// the user may say "always".
func (a *Asker) Permission(tool string, facts Object) (Permission, error) {
	params := Object{"tool": tool, "title": strings.TrimSpace(tool + " " + firstLine(facts["path"], facts["command"]))}
	for key, value := range facts {
		params[key] = value
	}
	timeout := takeTimeout(params)
	if !a.hasPermission {
		return a.confirmed(params, timeout)
	}
	result, err := a.carry("permission", params, timeout)
	choice, _ := result.(Object)
	reason, _ := choice["reason"].(string)
	isAlways := choice["choice"] == "always"
	return Permission{OK: isAlways || choice["choice"] == "once", Remember: isAlways, Reason: reason}, err
}

// For a front end that knows only yes and no.
func (a *Asker) confirmed(params Object, timeout time.Duration) (Permission, error) {
	opts := Object{"allow_reason": true, "allow_remember": params["remember"] == true}
	for _, fact := range []string{"tool", "tool_call_id", "command", "path", "diff", "details", "danger", "rule", "scope"} {
		if params[fact] != nil {
			opts[fact] = params[fact]
		}
	}
	if params["danger"] != nil {
		opts["danger_level"] = "danger"
	}
	result, err := a.carry("confirm", Object{"title": params["title"], "message": params["message"], "opts": opts}, timeout)
	object, isObject := result.(Object)
	if !isObject {
		return Permission{OK: result == true}, err
	}
	reason, _ := object["reason"].(string)
	return Permission{OK: object["ok"] == true, Remember: object["remember"] == true, Reason: reason}, err
}

func (a *Asker) ask(method string, params Object, opts []Opts) (any, error) {
	all := Object{}
	for _, some := range opts {
		for key, value := range some {
			if key == "message" || key == "placeholder" {
				params[key] = value
			} else {
				all[key] = value
			}
		}
	}
	timeout := takeTimeout(all)
	params["opts"] = all
	return a.carry(method, params, timeout)
}

func takeTimeout(opts Object) time.Duration {
	defer delete(opts, "timeout_ms")
	switch ms := opts["timeout_ms"].(type) {
	case int:
		return time.Duration(ms) * time.Millisecond
	case float64:
		return time.Duration(ms * float64(time.Millisecond))
	default:
		return 0
	}
}

func answer[T any](result any, err error) (T, error) {
	typed, fits := result.(T)
	switch {
	case err != nil:
		return typed, err
	case result == nil:
		return typed, ErrCancelled
	case !fits:
		return typed, &AskError{fmt.Sprintf("an answer of an unexpected type: %T", result)}
	default:
		return typed, nil
	}
}

// One value may come without a list around it.
func texts(result any, err error) ([]string, error) {
	if one, isText := result.(string); isText {
		return []string{one}, err
	}
	list, err := answer[[]any](result, err)
	values := make([]string, 0, len(list))
	for _, each := range list {
		values = append(values, fmt.Sprint(each))
	}
	return values, err
}

func plain(values []string) []Option {
	options := make([]Option, len(values))
	for i, value := range values {
		options[i] = Option{Value: value}
	}
	return options
}

func listed(options []Option) []Object {
	list := make([]Object, len(options))
	for i, option := range options {
		list[i] = Object{"value": option.Value, "label": option.Label}
		if option.Label == "" {
			list[i]["label"] = option.Value
		}
		if option.Description != "" {
			list[i]["description"] = option.Description
		}
	}
	return list
}

func firstLine(facts ...any) string {
	for _, fact := range facts {
		if text, isText := fact.(string); isText && text != "" {
			line, _, _ := strings.Cut(text, "\n")
			return line
		}
	}
	return ""
}
