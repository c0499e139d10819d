// Command local runs the built functions on one machine, as AWS would.
package main

import (
	"context"
	"os"

	"github.com/haatline/haatline/infra/local/corpus"
	"github.com/haatline/haatline/infra/local/say"
	"github.com/haatline/haatline/infra/ops/usage"
)

// program lists the commands.
var program = usage.Program{
	Path: "./infra/local",
	Commands: []usage.Command{
		{Name: "run", Does: "the local cloud, until Ctrl-C", Run: usage.Immediate(run)},
		{Name: "token", Does: "prints a token of the local issuer", Run: usage.Immediate(token)},
		{Name: "say", Does: "plays a customer who writes to the business", Run: usage.Plain(say.Run)},
		{Name: "pay", Does: "plays a customer who pays an order", Run: usage.Plain(say.Pay)},
		{Name: "fill", Does: "plays a customer who fills in a form", Run: usage.Plain(say.Fill)},
		{Name: "corpus", Does: "posts a folder of webhook bodies and says what became of each",
			Run: usage.Plain(corpus.Run)},
	},
}

func main() { os.Exit(program.Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }
