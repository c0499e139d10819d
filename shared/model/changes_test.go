package model

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// However versions and reactions arrive, and however often, the message ends alike.
func TestVersionsAndReactionsCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var versions []Version
		var reactions []Reaction
		for i := range rapid.IntRange(1, 6).Draw(t, "n") {
			at := OrderOf(At(time.Unix(1795262399, 0)), int64(rapid.IntRange(0, 3).Draw(t, "arrival")))
			pk := fmt.Sprint("MSG#", i)
			kind := rapid.SampledFrom([]string{VersionEdit, VersionEdit, VersionRevoke}).Draw(t, "kind")
			versions = append(versions, Version{Kind: kind, MessagePK: pk, Order: at, Text: pk, Preview: pk})
			by := rapid.SampledFrom([][]CustomerID{nil, {"1"}, {"2"}}).Draw(t, "by")
			reactions = append(reactions,
				Reaction{Emoji: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "emoji"), Order: at, MessagePK: pk,
					By: by})
		}
		apply := func(order []int) Message {
			m := Message{
				PK: "MSG#original", TextBody: "original", Preview: "original", ReceivedAt: At(time.Unix(1795262399, 0)),
				Content: Document(`{"a":1}`)}
			for _, i := range order {
				m.AddVersion(versions[i])
				m.Reactions, _ = MergeReactions(m.Reactions, reactions[i])
			}
			slices.SortFunc(m.Reactions, func(a, b Reaction) int {
				return len(a.By)*10 + int(fmt.Sprint(a.By)[1]) - len(b.By)*10 - int(fmt.Sprint(b.By)[1])
			})
			return m
		}
		inOrder := make([]int, len(versions))
		for i := range inOrder {
			inOrder[i] = i
		}
		shuffled := append(rapid.Permutation(inOrder).Draw(t, "order"), inOrder...)
		if got, want := apply(shuffled), apply(inOrder); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, and in order %+v", got, want)
		}
	})
}

// The earliest edits go first when there are too many. The original and the deletion stay.
func TestVersionsAreBounded(t *testing.T) {
	m := Message{PK: "MSG#o", TextBody: "0"}
	m.AddVersion(Version{Kind: VersionRevoke, MessagePK: "MSG#r", Order: OrderOf(At(time.Unix(1795262399, 0)), 9)})
	for i := range maxVersions + 5 {
		m.AddVersion(Version{
			Kind: VersionEdit, MessagePK: fmt.Sprint("MSG#", i),
			Order: OrderOf(At(time.Unix(1795262399, 0)), int64(i))})
	}
	kinds := map[string]int{}
	for _, v := range m.Versions {
		kinds[v.Kind]++
	}
	if len(m.Versions) != maxVersions || kinds[VersionOriginal] != 1 || kinds[VersionRevoke] != 1 ||
		m.RevokedAt == "" || m.Preview != RevokedPreview {
		t.Errorf("%v", kinds)
	}
}
