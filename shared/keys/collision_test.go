package keys

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/tables"
)

// formsOf are the keys of each table, by the table's id and the name of the key function, made of ids in braces. Each
// file of keys has a test file that says them. The messages table has a proof of its own.
var formsOf = map[string]map[string]Key{}

// holds says which keys a table has.
func holds(table tables.Table, kinds map[string]Key) {
	if formsOf[table.ID] != nil {
		panic(table.ID + " has its keys twice")
	}
	formsOf[table.ID] = kinds
}

// form returns a part of a key as a pattern.
func form(text string) Pattern { return Pattern{Parts: strings.Split(text, "#")} }

// An id has no "#", so a key tells the kinds of a table's items apart by its parts.
func TestNoTwoKindsOfItemsOfATableCanShareAKey(t *testing.T) {
	for table, kinds := range formsOf {
		names := slices.Sorted(maps.Keys(kinds))
		for i, one := range names {
			for _, other := range names[i+1:] {
				a, b := kinds[one], kinds[other]
				if !apart(form(a.Partition), form(b.Partition)) &&
					(a.Sort == "" || !apart(form(a.Sort), form(b.Sort))) {
					t.Errorf("%s: %s and %s can make the same key: %v, %v", table, one, other, a, b)
				}
			}
		}
	}
}

// A table whose keys nobody says is not in the proof, and a key with another attribute's name finds nothing.
func TestTheProofCoversEveryTable(t *testing.T) {
	for _, table := range tables.All() {
		kinds := formsOf[table.ID]
		switch {
		case table.ID == tables.Messages.ID:
			kinds = map[string]Key{}
			for name, m := range made() {
				kinds[name] = m.key
			}
		case len(kinds) == 0 != table.Unused:
			t.Errorf("%s has %d kinds of keys: holds(tables.%[1]s, …) says them, beside the keys' file", table.ID,
				len(kinds))
		}
		for name, key := range kinds {
			if key.PartitionName != table.Partition.Name || key.SortName != table.Sort.Name {
				t.Errorf("%s: %s names the key's attributes %q and %q, and the table %q and %q", table.ID, name,
					key.PartitionName, key.SortName, table.Partition.Name, table.Sort.Name)
			}
		}
	}
}

// Every key function is in one of the two proofs.
func TestTheProofsCoverEveryKeyFunction(t *testing.T) {
	var listed []string
	for _, kinds := range formsOf {
		listed = slices.AppendSeq(listed, maps.Keys(kinds))
	}
	listed = append(slices.AppendSeq(listed, maps.Keys(made())), "ByPK") // which takes a whole partition
	var declared []string
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			declared = append(declared, keyFunctions(file)...)
		}
	}
	slices.Sort(listed)
	slices.Sort(declared)
	if diff := cmp.Diff(listed, declared); diff != "" {
		t.Errorf("listed (-) and declared (+) key functions differ:\n%s", diff)
	}
}

// keyFunctions returns the exported functions of a file that return a key.
func keyFunctions(file *ast.File) (names []string) {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !function.Name.IsExported() || function.Type.Results == nil {
			continue
		}
		if result, ok := function.Type.Results.List[0].Type.(*ast.Ident); ok && result.Name == "Key" {
			names = append(names, function.Name.Name)
		}
	}
	return names
}
