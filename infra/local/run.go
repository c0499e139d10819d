package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/template"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/engine"
)

//go:embed tour.tmpl
var tour string

// run runs the cloud until a signal, which is no error, or until it fails.
func run(args []string, out io.Writer) error {
	if err := usage.Parse(flag.NewFlagSet("run", flag.ContinueOnError), args, out); err != nil {
		return err
	}
	began := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx = untilParentEnds(ctx)

	root, err := engine.Root()
	if err != nil {
		return err
	}
	config, err := cloud.FromEnv(root, os.Getenv)
	if err != nil {
		return err
	}
	config.Environ = os.Environ()
	config.Demo = true
	config.Reload = os.Getenv("RELOAD") != "off"
	config.Progress, config.Logs = os.Stdout, os.Stdout
	config.Quiet = os.Getenv("LOGS") != "all"
	config.Colour = isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == ""

	running, err := cloud.Start(ctx, config)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return err
	}
	defer running.Stop()
	stopped, err := running.Stopped(ctx)
	if err != nil {
		return err
	}
	if err := welcome(out, running.Addresses, config, stopped, time.Since(began)); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		fmt.Println("\nstopping …")
		return nil
	case err := <-running.Failed():
		return err
	}
}

// welcome prints the addresses, the stopped numbers, and the first commands to try.
func welcome(out io.Writer, addresses cloud.Addresses, config cloud.Config, stopped []string,
	took time.Duration) error {
	page, err := template.New("tour").Parse(tour)
	if err != nil {
		return err
	}
	dir, err := filepath.Rel(config.Root, config.Dir)
	if err != nil || strings.HasPrefix(dir, "..") {
		dir = config.Dir
	}
	variables := "" // variables that other commands need to find this cloud
	if dir != ".local" {
		variables = " LOCAL_DIR=" + quoted(dir)
	}
	return page.Execute(out, map[string]any{
		"Addresses": addresses,
		"Stopped":   stopped,
		"TokenFile": quoted(filepath.Join(dir, "token")),
		"Variables": variables,
		"Seconds":   fmt.Sprintf("%.1f", took.Seconds()),
		"Dir":       dir,
		"Functions": len(config.Functions),
	})
}

// quoted returns a path quoted for a shell.
func quoted(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("/._-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// untilParentEnds returns a context that ends when the go command that runs this program ends, because go run does not
// pass on signals.
func untilParentEnds(ctx context.Context) context.Context {
	executable, err := os.Executable()
	if err != nil || !strings.Contains(executable, string(filepath.Separator)+"go-build") {
		return ctx // not started by go run
	}
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(250 * time.Millisecond)
		defer ticker.Stop()
		for range ticker.C {
			if os.Getppid() != parent {
				cancel()
				return
			}
		}
	}()
	return ctx
}
