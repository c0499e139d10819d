package cloud

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/building"
	"github.com/haatline/haatline/infra/topology"
)

// Build builds every function for this machine and puts it into place. Start does so first.
func Build(ctx context.Context, c Config) error {
	if c.Built != "" {
		return c.placeAll(c.Built)
	}
	began := time.Now()
	fmt.Fprintf(c.Progress, "building %d functions …", len(c.Functions))
	said, err := compile(ctx, c, c.Functions)
	if err != nil {
		fmt.Fprintln(c.Progress)
		return fmt.Errorf("a function does not build: %s", firstComplaint(said, err))
	}
	fmt.Fprintf(c.Progress, " %.1fs\n", time.Since(began).Seconds())
	return c.placeAll(c.Compiled())
}

// placeAll puts every function into place from a folder of compiled functions.
func (c Config) placeAll(from string) error {
	for _, function := range c.Functions {
		if err := place(filepath.Join(from, function.Name), c.bootstrap(function.Name)); err != nil {
			return fmt.Errorf("place function %s: %w", function.Name, err)
		}
	}
	return nil
}

// compile builds functions as for Lambda, but for this machine, and returns the compiler's output. One command builds
// them and keeps its output, so that unchanged functions are not linked again.
func compile(ctx context.Context, c Config, functions []topology.Function) (said []byte, err error) {
	output := c.compiled("")
	if err := os.MkdirAll(output, 0o755); err != nil {
		return nil, fmt.Errorf("make build folder: %w", err)
	}
	args := slices.Concat([]string{"build"}, building.Flags(), []string{"-ldflags", "-s -w", "-o",
		output + string(filepath.Separator)})
	for _, function := range functions {
		args = append(args, "./"+filepath.ToSlash(filepath.Join(c.FunctionsDir, function.Name)))
	}
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = c.Root
	command.Env = append(withoutTarget(os.Environ()), "CGO_ENABLED=0")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // so that it removes what it wrote
	command.WaitDelay = stopCompiler
	return command.CombinedOutput()
}

// stopCompiler is how long the compiler may take to end when its work is no longer wanted.
const stopCompiler = 3 * time.Second

// Compiled returns the folder in which the compiler puts the functions.
func (c Config) Compiled() string { return c.compiled("") }

// compiled returns where the compiler puts a function.
func (c Config) compiled(function string) string { return c.path("bin", ".built", function) }

func (c Config) bootstrap(function string) string {
	return c.path("bin", function, "bootstrap")
}

// withoutTarget removes variables that select another machine as the build's target.
func withoutTarget(environment []string) []string {
	var kept []string
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "GOOS=") && !strings.HasPrefix(variable, "GOARCH=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// firstComplaint returns the compiler's first line about the code, after the line that only names the package.
func firstComplaint(output []byte, err error) string {
	for line := range bytes.Lines(output) {
		text := strings.TrimSpace(string(line))
		if text != "" && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "go: downloading") {
			return text
		}
	}
	return err.Error()
}

// place gives the built file the name and folder that Lambda uses.
func place(built, bootstrap string) error {
	if err := os.MkdirAll(filepath.Dir(bootstrap), 0o755); err != nil {
		return err
	}
	if err := os.Remove(bootstrap); err != nil && !os.IsNotExist(err) {
		return err
	}
	if os.Link(built, bootstrap) == nil {
		return nil
	}
	content, err := os.ReadFile(built) // for file systems without links
	if err != nil {
		return err
	}
	return os.WriteFile(bootstrap, content, 0o755)
}
