package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/settings"
)

// readContext reads the deployment's context like the CDK's command line and reports what is wrong with it before
// anything is built. The CDK would ignore a misspelt name. readContext ignores other flags.
func readContext(args []string, out io.Writer) error {
	given, err := contextFile("cdk.json")
	if err != nil {
		return err
	}
	for i := 0; i < len(args); i++ {
		text, isContext := strings.CutPrefix(args[i], "--context=")
		if args[i] == "-c" || args[i] == "--context" {
			if i++; i == len(args) {
				return usage.Wrong("context: -c is followed by name=value")
			}
			text, isContext = args[i], true
		}
		if !isContext {
			continue
		}
		name, value, assigned := strings.Cut(text, "=")
		if !assigned {
			return usage.Wrong("context: %q is not name=value", text)
		}
		if known := settings.Names(); !slices.Contains(known, name) && !strings.HasPrefix(name, "@") {
			return usage.Wrong("context: nothing reads %q (there are %s)", name, strings.Join(known, ", "))
		}
		given[name] = value
	}
	options, err := settings.Read("build", func(name string) any { return given[name] })
	if err != nil {
		return usage.Wrong("%v", err)
	}
	fmt.Fprintf(out, "stage %s\n", options.Stage)
	return nil
}

// contextFile reads the permanent context of a file.
func contextFile(name string) (map[string]any, error) {
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct{ Context map[string]any }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if file.Context == nil {
		file.Context = map[string]any{}
	}
	return file.Context, nil
}
