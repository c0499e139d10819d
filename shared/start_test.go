package shared_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// messageLoop are the functions that run for every message.
var messageLoop = []string{"functions/webhook", "functions/inbound", "functions/status", "functions/outbox"}

// A regular expression is compiled in up to 0.3 ms, which is a tenth of a start. Package lazy compiles it when it is
// first used.
func TestTheFunctionsOfTheMessageLoopCompileNoExpressionAtTheirStart(t *testing.T) {
	all, seen := packages(t), map[string]bool{}
	for _, function := range messageLoop {
		for _, held := range own(all[function].Deps) {
			if seen[held] {
				continue
			}
			seen[held] = true
			files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(held), "*.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s has no files: %v", held, err)
			}
			for _, file := range files {
				if !strings.HasSuffix(file, "_test.go") {
					noneCompiled(t, file)
				}
			}
		}
	}
}

// noneCompiled fails if a variable of a file's package is made with a compiled expression.
func noneCompiled(t *testing.T, path string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range file.Decls {
		variables, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		ast.Inspect(variables, func(n ast.Node) bool {
			if _, later := n.(*ast.FuncLit); later {
				return false
			}
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
				t.Errorf("%s compiles an expression at every start: use lazy.Regexp", path)
			}
			return true
		})
	}
}
