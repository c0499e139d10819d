package stacks_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/aws/jsii-runtime-go"
)

const inner = "HAATLINE_STACKS_TEST"

// TestMain runs the tests in a child process. The CDK's runtime reads its environment before any code of a program
// runs, so only a parent process can set it: a folder to unpack itself into, and no warning about Node.js 20. The child
// ends without closing the runtime, because its Close races with its own goroutine, which -race reports. The parent
// removes the folder.
func TestMain(m *testing.M) {
	if os.Getenv(inner) != "" {
		os.Exit(m.Run())
	}
	code, err := runInner()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func runInner() (code int, err error) {
	defer jsii.Close() // never started out here; this removes what it has unpacked
	dir, err := os.MkdirTemp("", "haatline-stacks-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	binary, err := os.Executable()
	if err != nil {
		return 1, err
	}
	cmd := exec.Command(binary, os.Args[1:]...)
	cmd.Env = append(os.Environ(), inner+"=1", "TMPDIR="+dir, "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=20")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode(), nil
	}
	if err != nil {
		return 1, fmt.Errorf("run the tests in a process of their own: %w", err)
	}
	return 0, nil
}
