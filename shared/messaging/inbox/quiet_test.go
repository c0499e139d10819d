package inbox

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
)

// However messages come, and if the conversation is merged of two, its row shows the last that is not quiet, and it
// knows the last of all.
func TestARowShowsTheLastMessageThatIsNotQuiet(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(2, 9).Draw(t, "messages")
		all := make([]model.Message, count)
		for i := range all {
			all[i] = model.Message{
				PK: fmt.Sprintf("MSG#%d", i), Type: "text", Preview: fmt.Sprint(i),
				ReceivedAt: model.At(noon.Add(time.Duration(i) * time.Second)),
				Quiet:      i > 0 && rapid.Bool().Draw(t, "quiet"),
			}
		}
		shown, last := all[0], all[count-1]
		for _, m := range all {
			if !m.Quiet {
				shown = m
			}
		}
		var one, other model.Conversation
		advance(&one, decodedMessage{message: all[0]}) // what a conversation begins with shows in any case
		for _, i := range rapid.Permutation(indexes(count)).Draw(t, "order") {
			into := &one
			if !all[i].Quiet && rapid.Bool().Draw(t, "in the other") {
				into = &other
			}
			advance(into, decodedMessage{message: all[i]})
		}
		absorb(&one, other)
		if one.LastMessagePK != shown.PK || one.ReceivedAt != shown.ReceivedAt || one.LastPreview != shown.Preview ||
			one.LastOrder != last.Order() || shownOrder(one) != shown.Order() {
			t.Errorf("it shows %s of %s, and its last is of %s: %+v", one.LastMessagePK, one.ReceivedAt,
				one.LastOrder.At(), all)
		}
	})
}

func indexes(count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = i
	}
	return slices.Clip(all)
}
