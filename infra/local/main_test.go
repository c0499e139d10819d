package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
)

// called runs a command with a data folder that has content, and reports whether the content is still there.
func called(t *testing.T, args ...string) (code int, said string, kept bool) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("LOCAL_DIR", dir)
	data := filepath.Join(dir, "dynamodb.db")
	if err := os.WriteFile(data, []byte("data"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code = program.Run(t.Context(), args, &out, &out)
	_, err := os.Stat(data)
	return code, out.String(), err == nil
}

func TestHelpDoesNothingButHelp(t *testing.T) {
	for _, name := range []string{"run", "token", "say", "corpus"} {
		for _, help := range []string{"-h", "--help"} {
			if code, said, kept := called(t, name, help); code != 0 ||
				!strings.Contains(said, "usage") && !strings.Contains(said, "Usage") || !kept {
				t.Errorf("%s %s: %d, data kept: %t, %s", name, help, code, kept, said)
			}
		}
	}
}

func TestWhatIsNoFlagIsRefusedBeforeAnythingIsDone(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-fast"}, {"run", "now"}, {"token", "-role", "auditor", "now"}, {"remember"}, {}} {
		if code, said, kept := called(t, args...); code != 2 || !kept {
			t.Errorf("%q: %d, data kept: %t, %s", args, code, kept, said)
		}
	}
}

func TestATokenIsWrittenForItsOwnerAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "auditor")
	if code, said, _ := called(t, "token", "-role", "auditor", "-out", file); code != 0 || said != "" {
		t.Fatalf("%d %s", code, said)
	}
	content, err := os.ReadFile(file)
	if err != nil || strings.Count(string(content), ".") != 2 {
		t.Errorf("%q, %v", content, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// The printed commands must also work if the cloud uses another folder or other ports.
func TestThePrintedTourFindsTheCloudThatPrintsIt(t *testing.T) {
	for dir, want := range map[string][]string{
		"/root/.local":     {"make say FROM=", "cat .local/token"},
		"/root/other":      {"make say LOCAL_DIR=other FROM=", "cat other/token"},
		"/elsewhere/a b$c": {"make say LOCAL_DIR='/elsewhere/a b$c' FROM=", "cat '/elsewhere/a b$c/token'"},
	} {
		var out bytes.Buffer
		if err := welcome(&out, cloud.Addresses{HTTP: "http://127.0.0.1:3999", Token: "secret"},
			cloud.Config{Root: "/root", Dir: dir},
			[]string{"106540352242922 sends nothing until 09:00:00: 190 expired"}, time.Second); err != nil {
			t.Fatal(err)
		}
		for _, text := range append(want, `"http://127.0.0.1:3999$@"`,
			"stopped             106540352242922 sends nothing until 09:00:00: 190 expired") {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%s: no %q in\n%s", dir, text, &out)
			}
		}
	}
}
