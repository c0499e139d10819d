package topology

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testsOf returns the folder of a function's tests: its own, or that of the domain's API which it serves.
func (f Function) testsOf() string {
	if domain, ok := strings.CutSuffix(f.Name, "-api"); ok {
		return filepath.Join("shared", domain, domain+"api")
	}
	return filepath.Join("functions", f.Name)
}

// Every function that uses a table must be tested with a crash at each of its DynamoDB calls, and every stream consumer with
// replays.
func TestEveryFunctionIsBrokenAndReplayed(t *testing.T) {
	for _, function := range Functions {
		calls := calledInTests(t, filepath.Join(root, function.testsOf()))
		if len(function.Grants) > 0 && !calls["dynamotest.EveryCrashPoint"] && !calls["apitest.Walk"] {
			t.Errorf("%s: no test calls dynamotest.EveryCrashPoint, or apitest.Walk, which does for an API", function.testsOf())
		}
		if len(function.Streams) > 0 && !calls["dynamotest.StreamReplay"] {
			t.Errorf("functions/%s reads a stream, and no test calls dynamotest.StreamReplay", function.Name)
		}
	}
}

// calledInTests returns the functions of packages that a folder's tests call, as package.Function.
func calledInTests(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
					if pkg, ok := selector.X.(*ast.Ident); ok {
						called[pkg.Name+"."+selector.Sel.Name] = true
					}
				}
			}
			return true
		})
	}
	return called
}
