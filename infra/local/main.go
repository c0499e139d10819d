// Command local runs the functions of this repository on one machine, the built ones, as AWS would run them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/haatline/haatline/infra/local/corpus"
	"github.com/haatline/haatline/infra/local/say"
)

const usage = `usage: go run ./infra/local <command>

  run     the local cloud, until Ctrl-C
  token   prints a token of the local issuer
  forget  deletes the data of the local cloud, unless it runs
  say     plays a customer who writes to the business
  corpus  posts a folder of webhook bodies and says what became of each

Each command lists its flags with -h.
`

func main() {
	command, args := "", []string{}
	if len(os.Args) > 1 {
		command, args = os.Args[1], os.Args[2:]
	}
	var err error
	switch command {
	case "run":
		err = run()
	case "token":
		err = token(args)
	case "forget":
		err = forget()
	case "say":
		err = say.Run(context.Background(), args, os.Stdout)
	case "corpus":
		err = corpus.Run(context.Background(), args, os.Stdout)
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "haatline:", err)
		os.Exit(1)
	}
}
