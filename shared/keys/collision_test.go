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
)

// formsOf are the keys of each table that holds items of more than one kind or has a key function of its own, made of
// ids in braces. The messages table has a proof of its own.
var formsOf = map[string]map[string]Key{
	"card users": {
		"CardUser": CardUser("{user}"), "CardProgram": CardProgram("{tenant}"),
		"CardFirebase": CardFirebase("{tenant}", "{uid}"),
		"CardPhone":    CardPhone("{tenant}", "{identifier}"),
	},
	"card scores":       {"CardScore": CardScore("{user}", "{at}#{score}")},
	"cards":             {"Card": Card("{user}", "{card}")},
	"card requests":     {"CardRequest": CardRequest("{user}", "{request}")},
	"card transactions": {"CardTransaction": CardTransaction("{user}", "{card}", "{transaction}")},
	"card idempotency":  {"CardIdempotency": CardIdempotency("{user}", "{hash}")},
	"notifications":     {"Notification": Notification("{id}")},
	"inbound commands":  {"InboundCommand": InboundCommand("{message}"), "AdminHelp": AdminHelp("{tenant}", "{admin}")},
	"approvals":         {"Approval": Approval("{request}"), "RequestCode": RequestCode("{tenant}", "{code}")},
	"outbox":            {"OutboxEvent": OutboxEvent("{event}")},
	"outbox sequences":  {"OutboxSequence": OutboxSequence("{sequence}")},
	"audit logs":        {"AuditLog": AuditLog("{type}#{id}", "{at}#{log}")},
	"stores":            {"Store": Store("{store}")},
	"products":          {"Product": Product("{store}", "{product}"), "ProductCount": ProductCount("{store}")},
	"orders":            {"Order": Order("{store}", "{order}")},
	"sessions":          {"Session": Session("{session}")},
	"metrics": {
		"Metric": Metric("{store}", "{kind}", "{date}"), "SystemMetric": SystemMetric("{kind}", "{date}"),
		"CustomerDay": CustomerDay("{store}", "{date}", "{customer}"),
		"FollowUp":    FollowUp("{store}", "{order}", 1), "Uncopied": Uncopied("{store}", "{order}"),
	},
	"rate limits": {"RateLimit": RateLimit("{identifier}", "{kind}", "{window}")},
	"khata transactions": {
		"KhataEntry": KhataEntry("{store}", "{phone}", "{entry}"), "ReversalOf": ReversalOf("{entry}"),
		"SaleOf": SaleOf("{store}", "{order}"),
	},
	"balances":          {"KhataBalance": KhataBalance("{store}", "{phone}")},
	"khata idempotency": {"KhataReplay": KhataReplay("{hash}"), "KhataCheck": KhataCheck()},
	"reminders":         {"Reminder": Reminder("{reminder}")},
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
				if a.PartitionName != b.PartitionName || a.SortName != b.SortName {
					t.Errorf("%s: %s and %s name the key's attributes differently: %v, %v", table, one, other, a, b)
				}
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
