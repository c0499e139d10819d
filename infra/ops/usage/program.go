package usage

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Program is a command line of several commands.
type Program struct {
	Path     string // as `go run` takes it
	Commands []Command
}

// Command is one command of a program.
type Command struct {
	Name, Does string
	Run        func(ctx context.Context, args []string, out, problems io.Writer) error
}

// Plain returns the Run of a command that writes nothing beside its output.
func Plain(
	run func(ctx context.Context, args []string, out io.Writer) error,
) func(ctx context.Context, args []string, out, problems io.Writer) error {
	return func(ctx context.Context, args []string, out, _ io.Writer) error { return run(ctx, args, out) }
}

// Immediate returns the Run of a command that nothing interrupts.
func Immediate(
	run func(args []string, out io.Writer) error,
) func(ctx context.Context, args []string, out, problems io.Writer) error {
	return func(_ context.Context, args []string, out, _ io.Writer) error { return run(args, out) }
}

// Run runs the command that the first argument names. It returns the exit status: 0, 1 for a failure, 2 for wrong
// usage. If nobody asked for help, an error is one line.
func (p Program) Run(ctx context.Context, args []string, out, problems io.Writer) int {
	if len(args) == 0 {
		p.help(problems)
		return 2
	}
	for _, command := range p.Commands {
		if command.Name == args[0] {
			return status(ctx, command.Run(ctx, args[1:], out, problems), problems)
		}
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		p.help(out)
		return 0
	}
	p.help(problems)
	return 2
}

func (p Program) help(out io.Writer) {
	fmt.Fprintf(out, "usage: go run %s <command>\n\n", p.Path)
	for _, command := range p.Commands {
		fmt.Fprintf(out, "  %-13s  %s\n", command.Name, command.Does)
	}
	fmt.Fprint(out, "\nEach command lists its flags with -h.\n")
}

func status(ctx context.Context, err error, problems io.Writer) int {
	var wrong Error
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintln(problems, "haatline:", oneLine(wrong.Error()))
		return 2
	case ctx.Err() != nil:
		fmt.Fprintln(problems, "haatline: stopped before its end")
		return 1
	}
	fmt.Fprintln(problems, "haatline:", oneLine(err.Error()))
	return 1
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
