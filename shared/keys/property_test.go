package keys

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
)

// anyID is whatever model.Parse lets through, likely to hold what keys are made of.
func anyID() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"CHUNK", "PAYCFG", "INFRA", "MSG", "{waMessageId}", "{", "wamid.HBgM==", "919876543210", "IN.ENT.1", " ",
			"ä", "🛒", "\x00"}),
		rapid.StringN(1, 40, -1),
	).Filter(func(text string) bool {
		_, err := model.Parse[model.Name](text)
		return err == nil
	})
}

func anyPattern() *rapid.Generator[Pattern] { return rapid.SampledFrom(MessagesPatterns()) }

// idsFor draws as many ids as a pattern has places.
func idsFor(t *rapid.T, pattern Pattern) []string {
	var ids []string
	for _, part := range pattern.Parts {
		if part[0] == '{' {
			ids = append(ids, anyID().Draw(t, part))
		}
	}
	return ids
}

func TestAKeyGivesBackTheIDsItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := anyPattern().Draw(t, "pattern")
		want := idsFor(t, pattern)
		key := pattern.with(want...)
		got, ok := pattern.ids(key)
		if !ok {
			t.Fatalf("%q does not have the form %s it was made by", key, pattern)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", key, diff)
		}
		if again := pattern.with(got...); again != key {
			t.Fatalf("%q became %q", key, again)
		}
	})
}

func TestAKeyWithAnEmptyIDIsNotWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := anyPattern().Draw(t, "pattern")
		ids := idsFor(t, pattern)
		if key := pattern.with(ids...); !Whole(key) {
			t.Fatalf("%q of %s and %q is taken for one with an empty id", key, pattern, ids)
		}
		if len(ids) == 0 {
			return
		}
		ids[rapid.IntRange(0, len(ids)-1).Draw(t, "empty")] = ""
		if key := pattern.with(ids...); Whole(key) || (Key{"pk", key, "", ""}).Whole() ||
			(Key{"pk", "A", "sk", key}).Whole() {
			t.Fatalf("%q of %s and %q is taken for whole", key, pattern, ids)
		}
	})
}

func TestTextOfAPatternsFormIsMadeByItAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := anyPattern().Draw(t, "pattern")
		segment := rapid.OneOf(rapid.SampledFrom(pattern.Parts), rapid.Just(""), anyID())
		text := strings.Join(rapid.SliceOfN(segment, 1, 5).Draw(t, "segments"), "#")
		if ids, ok := pattern.ids(text); ok && pattern.with(ids...) != text {
			t.Fatalf("%q was taken for %s with %q", text, pattern, ids)
		}
	})
}

func TestOtherIDsOrAnotherItemTypeNeverGiveTheSameKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, other := anyPattern().Draw(t, "one"), anyPattern().Draw(t, "other")
		oneIDs, otherIDs := idsFor(t, one), idsFor(t, other)
		same := one.String() == other.String() && slices.Equal(oneIDs, otherIDs)
		if equal := one.with(oneIDs...) == other.with(otherIDs...); equal != same {
			t.Fatalf("%s %q and %s %q: same key %v", one, oneIDs, other, otherIDs, equal)
		}
	})
}

func TestAnEventIDTellsSequenceAndNumber(t *testing.T) {
	number := rapid.Int64Range(1, 9_999_999_999)
	rapid.Check(t, func(t *rapid.T) {
		one, other := OutboxSequenceID(anyID().Draw(t, "one")), OutboxSequenceID(anyID().Draw(t, "other"))
		n, m := number.Draw(t, "n"), number.Draw(t, "m")
		same := one == other && n == m
		if equal := OutboxEventID(one, n) == OutboxEventID(other, m); equal != same {
			t.Fatalf("%s %d and %s %d: same id %v", one, n, other, m, equal)
		}
		if inOrder := OutboxEventID(one, n) <= OutboxEventID(one, m); inOrder != (n <= m) {
			t.Fatalf("%d and %d are out of order", n, m)
		}
	})
}
