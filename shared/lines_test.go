package shared_test

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is how wide a line of Go may be. A tab counts as four.
const columns = 120

// TestLinesFit finds lines of Go that are too wide to be read without scrolling. A line that holds part of a raw string
// may be wider: the tag of a field and a query cannot be broken. So may a line of a table in a comment.
func TestLinesFit(t *testing.T) {
	out, err := exec.Command("go", "list", "-f",
		`{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`+
			`{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		raw := rawLines(source)
		for i, line := range strings.Split(string(source), "\n") {
			wide := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			table := strings.HasPrefix(line, "//\t")
			if wide > columns && !raw[i+1] && !table {
				t.Errorf("%s:%d has %d columns, above %d", filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name),
					i+1, wide, columns)
			}
		}
	}
}

// rawLines returns the numbers of the lines that hold part of a raw string.
func rawLines(source []byte) map[int]bool {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && text[0] == '`' {
			first := file.Line(at)
			for n := range strings.Count(text, "\n") + 1 {
				lines[first+n] = true
			}
		}
	}
}
