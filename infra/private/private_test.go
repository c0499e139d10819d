package private_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/haatline/haatline/infra/private"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	file, err := private.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Discard()
	if _, err := io.WriteString(file.Or(io.Discard), text); err != nil {
		t.Fatal(err)
	}
	if err := file.Keep(); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, path, text string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil || string(content) != text {
		t.Errorf("%s holds %q, %v", path, content, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%s is %v, %v", path, info.Mode(), err)
	}
}

func TestAFileIsItsOwnersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, "first")
	check(t, path, "first")
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, path, "second")
	check(t, path, "second")
}

// An attacker with access to the folder could redirect a secret by a link, or have one of our files overwritten.
func TestALinkIsReplacedAndNotFollowed(t *testing.T) {
	dir := t.TempDir()
	target, path := filepath.Join(dir, "target"), filepath.Join(dir, "token")
	if err := os.WriteFile(target, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{path, path + ".part"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, "ours")
	check(t, path, "ours")
	if content, err := os.ReadFile(target); err != nil || string(content) != "theirs" {
		t.Errorf("the link's target holds %q, %v", content, err)
	}
}

func TestWhatIsNotCompleteDoesNotTakeThePlaceOfWhatIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, "complete")
	file, err := private.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Discard()
	check(t, path, "complete")
	if _, err := os.Stat(path + ".part"); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
}

func TestOnlyAFileIsReplaced(t *testing.T) {
	if file, err := private.Create(t.TempDir()); err == nil {
		file.Discard()
		t.Error("a folder was taken for a file")
	}
}
