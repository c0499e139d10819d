//go:build amd64 || arm64

package engine

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

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

func TestAProcessThatCannotBeStartedWithoutSyncIsAnError(t *testing.T) {
	if err := startWithoutSync(exec.Command("/nowhere"), make(chan error, 1)); err == nil {
		t.Error("it was started")
	}
}
