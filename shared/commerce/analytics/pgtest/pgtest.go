// Package pgtest owns the real PostgreSQL for tests: the one that infra/package-lock.json pins. A package of tests
// starts it at most once.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/haatline/haatline/shared/engine"
)

// server is the running server of this process.
type server struct {
	dir   string // of the programs, the data and the socket
	cmd   *exec.Cmd
	ended chan error
}

// user is the superuser of the server. It needs no password: only this machine's users reach the socket.
const user = "haatline"

var (
	begin   sync.Once
	running *server
	failed  error
	count   atomic.Int64
)

// Main runs the tests of a package and stops the server that they have started: os.Exit(pgtest.Main(m)).
func Main(m *testing.M) int {
	defer func() {
		if running != nil {
			running.stop()
		}
	}()
	return m.Run()
}

// Database returns the DSN of an empty database of the test's own. A server that cannot be started fails the test:
// there is nothing else to run it on.
func Database(t testing.TB) string {
	t.Helper()
	begin.Do(func() { running, failed = start() })
	if failed != nil {
		t.Fatalf("PostgreSQL cannot be started: %v", failed)
	}
	name := fmt.Sprintf("test%d", count.Add(1))
	Exec(t, running.dsn("postgres"), "CREATE DATABASE "+name)
	return running.dsn(name)
}

// Exec executes statements in a database.
func Exec(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	conn := Connect(t, dsn)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// Connect returns a connection to a database.
func Connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func (s *server) dsn(database string) string {
	return "postgres://" + user + "@/" + database + "?host=" + url.QueryEscape(s.dir)
}

// start makes an empty cluster and starts a server on it. Its data need not survive the machine, so nothing is synced.
func start() (*server, error) {
	root, err := engine.Root()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "haatline-pg-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, ended: make(chan error, 1)}
	if err := s.start(root); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *server) start(root string) error {
	programs := filepath.Join(s.dir, "programs")
	if err := install(root, programs); err != nil {
		return err
	}
	data := filepath.Join(s.dir, "data")
	if err := s.own(); err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(programs, "bin", "initdb"), "-D", data, "-U", user, "-A", "trust", "-E",
		"UTF8", "--locale=C", "--no-sync", "--no-instructions")
	unprivileged(initdb)
	initdb.Dir = s.dir
	if said, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(said))
	}
	args := []string{"-D", data, "-F"}
	for _, setting := range []string{
		"listen_addresses=", "unix_socket_directories=" + s.dir, "max_connections=40", "shared_buffers=16MB",
		"autovacuum=off", "jit=off",
		"synchronous_commit=off", "full_page_writes=off", "max_wal_senders=0", "wal_level=minimal",
	} {
		args = append(args, "-c", setting)
	}
	var said bytes.Buffer
	s.cmd = exec.Command(filepath.Join(programs, "bin", "postgres"), args...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.dir, &said, &said
	unprivileged(s.cmd)
	dieWithParent(s.cmd)
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	go func() { s.ended <- s.cmd.Wait(); close(s.ended) }()
	if err := s.await(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

// await returns when the server answers.
func (s *server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.dsn("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case ended := <-s.ended:
			s.cmd = nil
			return fmt.Errorf("it has ended: %v", ended)
		case <-ctx.Done():
			return errors.Join(errors.New("it does not answer"), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop ends the server at once, and removes what it has written.
func (s *server) stop() {
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(syscall.SIGQUIT)
		select {
		case <-s.ended:
		case <-time.After(5 * time.Second):
			_ = s.cmd.Process.Kill()
		}
	}
	_ = os.RemoveAll(s.dir)
}
