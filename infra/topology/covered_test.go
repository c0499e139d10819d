package topology

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
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

// Every function that uses a table must be tested with a crash at each of its DynamoDB calls, and every stream consumer
// with replays. Every function's variables must be compared with those it declares.
func TestEveryFunctionIsBrokenReplayedAndCompared(t *testing.T) {
	for _, function := range All() {
		calls := testCalls(t, function.testsOf())
		called := func(name string) bool {
			return slices.ContainsFunc(calls, func(c call) bool { return c.name == name })
		}
		if len(function.Grants) > 0 && !called("dynamotest.EveryCrashPoint") &&
			!called("dynamotest.EveryCrashPointInParts") && !called("apitest.Walk") {
			t.Errorf("%s: no test calls dynamotest.EveryCrashPoint, or apitest.Walk, which does for an API",
				function.testsOf())
		}
		if len(function.Streams) > 0 && !called("dynamotest.StreamReplay") {
			t.Errorf("%s: the function reads a stream, and no test calls dynamotest.StreamReplay", function.testsOf())
		}
		own := filepath.Join("functions", function.Name)
		if !slices.Contains(testCalls(t, own), call{"topologytest.Variables", function.Name}) {
			t.Errorf("%s: no test calls topologytest.Variables", own)
		}
	}
}

// call is a call of another package's function, and the name that it passes behind the test.
type call struct{ name, argument string }

// testCalls returns the calls that the tests in a folder of the repository make.
func testCalls(t *testing.T, dir string) []call {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var calls []call
	for _, path := range paths {
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			if made, ok := node.(*ast.CallExpr); ok {
				calls = append(calls, call{calledName(made.Fun), secondText(made.Args)})
			}
			return true
		})
	}
	return calls
}

// calledName returns package.Function for a call of another package's function, with or without type arguments; else
// "".
func calledName(called ast.Expr) string {
	switch f := called.(type) {
	case *ast.IndexExpr:
		return calledName(f.X)
	case *ast.IndexListExpr:
		return calledName(f.X)
	case *ast.SelectorExpr:
		if pkg, ok := f.X.(*ast.Ident); ok {
			return pkg.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// secondText returns the second argument if it is a literal text, else "".
func secondText(arguments []ast.Expr) string {
	if len(arguments) < 2 {
		return ""
	}
	literal, ok := arguments[1].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(literal.Value)
	return text
}
