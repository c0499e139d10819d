// Package usage distinguishes wrong usage of a command, with exit status 2, from a failure, with exit status 1.
package usage

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Error describes wrong usage of a command.
type Error struct{ text string }

func (e Error) Error() string { return e.text }

// Wrong returns an Error with a one-line text.
func Wrong(format string, args ...any) error { return Error{fmt.Sprintf(format, args...)} }

// Parse parses a command's flags. It returns an Error for unknown flags. If help was requested, it lists the flags on
// out and returns flag.ErrHelp.
func Parse(flags *flag.FlagSet, args []string, out io.Writer) error {
	flags.SetOutput(io.Discard) // the caller prints the error
	flags.Usage = func() {}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(out, "usage: %s [flags]\n", flags.Name())
		flags.SetOutput(out)
		flags.PrintDefaults()
		return flag.ErrHelp
	case valueless(flags, args) != nil:
		f := valueless(flags, args)
		return Wrong("%s: -%s needs a value: %s", flags.Name(), f.Name, f.Usage)
	case err != nil:
		return Wrong("%s: %v (-h lists the flags)", flags.Name(), err)
	case flags.NArg() > 0:
		return Wrong("%s: %q is no flag (-h lists them)", flags.Name(), strings.Join(flags.Args(), " "))
	}
	return nil
}

// valueless returns a flag without a value, or nil: the last argument, or one that is followed by another flag, which
// package flag would take as its value. make passes such a flag if a variable is empty: -stage $(STAGE).
func valueless(flags *flag.FlagSet, args []string) *flag.Flag {
	named := func(word string) *flag.Flag {
		name, isFlag := strings.CutPrefix(word, "-")
		if !isFlag {
			return nil
		}
		return flags.Lookup(strings.TrimPrefix(name, "-"))
	}
	for i := 0; i < len(args); i++ {
		f := named(args[i])
		if f == nil {
			continue
		}
		if boolean, is := f.Value.(interface{ IsBoolFlag() bool }); is && boolean.IsBoolFlag() {
			continue
		}
		if i++; i == len(args) || named(args[i]) != nil {
			return f
		}
	}
	return nil
}
