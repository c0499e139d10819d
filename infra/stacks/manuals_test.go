package stacks_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// The places of the manuals that name something of a deployment. Each has one group, the name.
var (
	namesTarget   = regexp.MustCompile("(?m)(?:`|^ {4,}|\\| )make ([a-z-]+)")
	namesSetting  = regexp.MustCompile(`-c ([A-Za-z]+)=`)
	namesFunction = []*regexp.Regexp{
		regexp.MustCompile("(?:log|logs|traces|line `[^`]+`|function) (?:of )?`([a-z-]+)`"),
		regexp.MustCompile(`function = "([^"]+)"`),
		regexp.MustCompile("[=,`]([a-z-]+)=[0-9]+"), // webhook=20,outbox=10
	}
	namesAlarm = regexp.MustCompile("`([^`]+)`")
	madeTarget = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// manual returns the text of a manual, or of the Makefile.
func manual(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found returns the groups of all places that match, and fails the test if there is none.
func found(t *testing.T, places *regexp.Regexp, text string) []string {
	t.Helper()
	all := map[string]bool{}
	for _, match := range places.FindAllStringSubmatch(text, -1) {
		all[match[1]] = true
	}
	if len(all) == 0 {
		t.Errorf("nothing matches %s", places)
	}
	return slices.Sorted(maps.Keys(all))
}

func TestTheManualsNameNothingThatIsGone(t *testing.T) {
	targets := found(t, madeTarget, manual(t, "../../Makefile"))
	var functions []string
	for _, function := range topology.All() {
		functions = append(functions, function.Name)
	}
	text := manual(t, "../../DEPLOY.md") + "\n" + manual(t, "../OPERATING.md")
	for _, name := range found(t, namesTarget, text) {
		if !slices.Contains(targets, name) {
			t.Errorf("make %s: there is no such target", name)
		}
	}
	for _, name := range found(t, namesSetting, text) {
		if !slices.Contains(settings.Names(), name) {
			t.Errorf("-c %s: there is no such setting", name)
		}
	}
	for _, places := range namesFunction {
		for _, name := range found(t, places, text) {
			if !slices.Contains(functions, name) {
				t.Errorf("%s: there is no such function", name)
			}
		}
	}
}

// The manual says what to do about each alarm, and about no other. A row may stand for all alarms with an ending.
func TestTheManualSaysWhatToDoAboutEachAlarm(t *testing.T) {
	_, stuck, _ := strings.Cut(manual(t, "../OPERATING.md"), "\n| alarm | first look | then |\n|---|---|---|\n")
	table, _, _ := strings.Cut(stuck, "\n\n")
	var rows []string
	for row := range strings.Lines(table) {
		_, cell, _ := strings.Cut(row, "|")
		cell, _, _ = strings.Cut(cell, "|")
		rows = append(rows, found(t, namesAlarm, cell)...)
	}
	meant := map[string]bool{}
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		name := said(functions.Resources[id].Properties["AlarmName"])
		alarm := strings.TrimPrefix(name, names.AlarmPrefix(tables.Prod))
		about := slices.IndexFunc(rows, func(row string) bool {
			ending, several := strings.CutPrefix(row, "…")
			return row == alarm || several && strings.HasSuffix(alarm, ending)
		})
		if about < 0 {
			t.Errorf("OPERATING.md does not say what to do about the alarm %s", alarm)
			continue
		}
		meant[rows[about]] = true
	}
	for _, row := range rows {
		if !meant[row] {
			t.Errorf("OPERATING.md says what to do about %s, and there is no such alarm", row)
		}
	}
}
