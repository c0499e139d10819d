//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/haatline/haatline/shared/engine"
)

// cleaned runs the script of make clean in a copy of the project's layout, over a data folder with something in it,
// with no compiler at hand. It reports whether the data is still there.
func cleaned(t *testing.T, answer string, locked bool, args ...string) (code int, said string, kept bool) {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(root, "infra", "clean.sh"))
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	data := filepath.Join(project, ".local")
	for _, dir := range []string{filepath.Join(project, "infra"), data, filepath.Join(project, "build")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, "infra", "clean.sh"), script, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(filepath.Join(data, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if locked {
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash",
		append([]string{filepath.Join(project, "infra", "clean.sh")}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.Stdin = strings.NewReader(answer)
	text, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(data)
	return code, string(text), err == nil
}

func TestTheDataIsForgottenOnlyWhenSomebodySaysYes(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		args   []string
		code   int
	}{
		"no answer": {"", nil, 1}, "an empty line": {"\n", nil, 1}, "no": {"n\n", nil, 1},
		"an unknown flag": {"y\n", []string{"-ye"}, 2},
		"y":               {"y\n", nil, 0}, "yes": {"YES\n", nil, 0}, "the flag": {"", []string{"-yes"}, 0},
	} {
		if code, said, kept := cleaned(t, c.answer, false, c.args...); code != c.code || kept != (code != 0) {
			t.Errorf("%s: %d, data kept: %t, %s", name, code, kept, said)
		}
	}
}

func TestTheDataOfACloudThatRunsIsNotForgotten(t *testing.T) {
	if _, err := exec.LookPath("flock"); err != nil {
		t.Log("this machine has no flock: the script cannot see the lock")
		return
	}
	if code, said, kept := cleaned(t, "", true, "-yes"); code != 1 || !kept ||
		!strings.Contains(said, "stop it first") {
		t.Errorf("%d, data kept: %t, %s", code, kept, said)
	}
}
