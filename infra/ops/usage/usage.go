// Package usage tells a command that was called wrongly from one that failed: the first ends with 2, the second with 1.
package usage

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Error is a command called wrongly.
type Error struct{ text string }

func (e Error) Error() string { return e.text }

// Wrong makes an Error of one line.
func Wrong(format string, args ...any) error { return Error{fmt.Sprintf(format, args...)} }

// Parse reads the flags of a command. It returns an Error for what is no flag of it, and flag.ErrHelp, after the flags
// were listed on out, where somebody asks for help.
func Parse(flags *flag.FlagSet, args []string, out io.Writer) error {
	flags.SetOutput(io.Discard) // what is wrong is said once, by the caller, which gets the error
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

// valueless is a flag that was given nothing: it is the last word, or what follows it is another flag, which the flag
// package takes for its value. make gives such a one where a variable is empty: -stage $(STAGE). Nil where there is none.
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
