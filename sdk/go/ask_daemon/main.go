// A program that is no agent asks the users of a daemon and prints the answer:
//
//	ask_daemon URL TOKEN_FILE    (both are printed by palaver serve --json)
package main

import (
	"fmt"
	"os"

	"palaver"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ask_daemon URL TOKEN_FILE")
		os.Exit(2)
	}
	answer, err := palaver.NewDaemon(os.Args[1], os.Args[2]).Select("Which?", []string{"a", "b"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(answer)
}
