//go:build amd64 || arm64

package engine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A process that is started so gets a success for a file that does not exist, and this one the error.
func TestOnlyTheProcessThatIsStartedWithoutSyncDoesNotWaitForTheDisk(t *testing.T) {
	const nowhere = -1
	if os.Getenv("SYNC_NOWHERE") != "" {
		if err := errors.Join(unix.Fsync(nowhere), unix.Fdatasync(nowhere)); err != nil {
			t.Fatal(err)
		}
		if err := unix.Syncfs(nowhere); !errors.Is(err, unix.EBADF) {
			t.Errorf("another call is filtered too: %v", err)
		}
		return
	}
	cmd, ended := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$"), make(chan error, 1)
	cmd.Env = append(os.Environ(), "SYNC_NOWHERE=1")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	dieWithParent(cmd)
	if err := startWithoutSync(cmd, ended); err != nil {
		t.Skipf("this machine allows no filter: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("%v: %s", err, said.String())
	}
	if err := unix.Fsync(nowhere); !errors.Is(err, unix.EBADF) {
		t.Errorf("this process is filtered too: %v", err)
	}
}

// The kernel ends with a thread whatever was started from it. So the thread from which a process was started without
// sync stays when that process has ended.
func TestNoThreadEndsWithAProcessThatWasStartedWithoutSync(t *testing.T) {
	const processes = 4
	before := filtered(t)
	for range processes {
		cmd, ended := exec.Command("true"), make(chan error, 1)
		if err := startWithoutSync(cmd, ended); err != nil {
			t.Skipf("this machine allows no filter: %v", err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for range 20 {
		if now := filtered(t); now != before+processes {
			t.Fatalf("%d threads are left of %d", now-before, processes)
		}
		time.Sleep(5 * time.Millisecond) // a thread ends some time after its goroutine
	}
}

// filtered returns how many threads of this process have a filter of system calls.
func filtered(t *testing.T) (n int) {
	t.Helper()
	threads, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range threads {
		status, _ := os.ReadFile(name) // a thread may have ended meanwhile
		if strings.Contains(string(status), "\nSeccomp:\t2") {
			n++
		}
	}
	return n
}

func TestAProcessThatCannotBeStartedWithoutSyncIsAnError(t *testing.T) {
	if err := startWithoutSync(exec.Command("/nowhere"), make(chan error, 1)); err == nil {
		t.Error("it was started")
	}
}
