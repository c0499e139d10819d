package dynamo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
)

func TestAnUpdateExpressionHasOnlyThePartsThatHaveClauses(t *testing.T) {
	for want, do := range map[string]dynamo.Do{
		"":             {},
		"SET a = :a":   {Set: []string{"a = :a"}},
		"REMOVE #a, b": {Remove: []string{"#a", "b"}},
		"SET a = :a, b = :b REMOVE c ADD d :d": {
			Set: []string{"a = :a", "b = :b"}, Remove: []string{"c"}, Add: []string{"d :d"}},
	} {
		if got := do.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestConditionsAreJoinedWithoutEmptyOnes(t *testing.T) {
	for want, got := range map[string]string{
		"": dynamo.And("", ""), "a": dynamo.And("", "a"), "a AND b AND c": dynamo.And("a", "b", "", "c")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An attribute that is stored only if it is not empty must be absent if it was read as empty.
func TestWhatWasReadIsComparedOrMustBeAbsent(t *testing.T) {
	values := dynamo.Item{}
	got := []string{
		dynamo.SameText("name", "Asha", values), dynamo.SameText("note", "", values),
		dynamo.SameNumber("count", 2, values),
		dynamo.SameNumber("version", 0, values), dynamo.Same("#owner", dynamo.S("a"), values),
		dynamo.Same("#gone", nil, values),
	}
	want := []string{
		"name = :was_name", "attribute_not_exists(note)", "count = :was_count",
		"attribute_not_exists(version)", "#owner = :was_owner", "attribute_not_exists(#gone)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(values) != 3 || dynamo.Text(values, ":was_owner") != "a" || dynamo.Int(values, ":was_count") != 2 ||
		dynamo.Text(values, ":was_name") != "Asha" {
		t.Errorf("%v", values)
	}
}
