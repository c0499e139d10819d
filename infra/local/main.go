// Command local runs the built functions on one machine, as AWS would.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/haatline/haatline/infra/local/corpus"
	"github.com/haatline/haatline/infra/local/say"
	"github.com/haatline/haatline/infra/ops/usage"
)

const help = `usage: go run ./infra/local <command>

  run     the local cloud, until Ctrl-C
  token   prints a token of the local issuer
  say     plays a customer who writes to the business
  corpus  posts a folder of webhook bodies and says what became of each

Each command lists its flags with -h.
`

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs a command and returns the exit status: 0, 1 for a failure, 2 for wrong usage.
func command(args []string, out, problems io.Writer) int {
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	var err error
	switch name {
	case "run":
		err = run(args, out)
	case "token":
		err = token(args, out)
	case "say":
		err = say.Run(context.Background(), args, out)
	case "corpus":
		err = corpus.Run(context.Background(), args, out)
	case "-h", "-help", "--help", "help":
		fmt.Fprint(out, help)
	default:
		fmt.Fprint(problems, help)
		return 2
	}
	var wrong usage.Error
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintln(problems, "haatline:", err)
		return 2
	}
	fmt.Fprintln(problems, "haatline:", err)
	return 1
}
