package topology

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/golden"
)

// The page that shows the whole system has this part between two marks.
const (
	page      = "../../ARCHITECTURE.md"
	pageBegin = "<!-- The table is made from infra/topology: go test ./infra/topology -update -->\n"
	pageEnd   = "<!-- End of the table. -->\n"
)

func TestThePageShowsEveryFunction(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begins := strings.Cut(string(text), pageBegin)
	_, tail, ends := strings.Cut(rest, pageEnd)
	if !begins || !ends {
		t.Fatalf("%s lost the marks of its table", page)
	}
	golden.Compare(t, page, head+pageBegin+functionTable()+pageEnd+tail)
}

// functionTable returns what each function does, what starts it, and the tables that it touches.
func functionTable() string {
	var b strings.Builder
	b.WriteString(
		"| function | what it does | what starts it | tables it writes | tables it only reads " +
			"|\n|---|---|---|---|---|\n")
	for _, f := range All() {
		var writes, reads []string
		for _, grant := range f.Grants {
			if slices.ContainsFunc(grant.Actions, writing) {
				writes = append(writes, grant.Table.ID)
			} else {
				reads = append(reads, grant.Table.ID)
			}
		}
		reads = slices.DeleteFunc(reads, func(id string) bool { return slices.Contains(writes, id) })
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", f.Name, f.Purpose, starts(f), listed(writes), listed(reads))
	}
	return b.String()
}

func writing(action string) bool {
	return slices.Contains([]string{"PutItem", "UpdateItem", "DeleteItem"}, action)
}

// starts returns what starts a function: streams, schedules, notices, other functions, and requests.
func starts(f Function) string {
	var all []string
	for _, s := range f.Streams {
		all = append(all, "the stream of "+s.Table.ID)
	}
	for _, s := range f.Schedules {
		all = append(all, s.Name+", "+s.Expression)
	}
	if f.Email {
		all = append(all, "what AWS tells of emails and SMS")
	}
	for _, other := range All() {
		if slices.Contains(other.Wakes, f.Name) {
			all = append(all, "`"+other.Name+"`, for an event")
		}
	}
	if f.Sessions {
		all = append(all, "each request of a session")
	}
	if f.Tokens {
		all = append(all, "each sign-in, and each token that is refreshed")
	}
	if f.Queue != nil {
		all = append(all, "a queue of what AWS End User Messaging tells")
	}
	if f.Name == LiveAuthorizer.Name {
		all = append(all, "each subscription to the live channel")
	}
	for _, r := range f.Routes {
		if path, below := strings.CutSuffix(r.Path, "/{proxy+}"); !below || path == "/v1" {
			all = append(all, "`"+strings.TrimPrefix(r.Method+" ", "ANY ")+r.Path+"`")
		}
	}
	return strings.Join(all, "; ")
}

func listed(ids []string) string {
	slices.Sort(ids)
	return cmp.Or(strings.Join(slices.Compact(ids), ", "), "none")
}
