package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// describe lists all messages, where they are stored, and who has which identifiers. It helps to debug a failure.
func (w *simulation) describe() string {
	s := w.state()
	var b strings.Builder
	for _, c := range w.customers {
		fmt.Fprintf(&b, "\n%s shows %d, has %s and %s", c.name, c.shows, c.number.id, c.userID)
	}
	messages := slices.Clone(w.messages)
	slices.SortStableFunc(messages, func(a, b *message) int { return a.at.Compare(b.at) })
	for _, m := range messages {
		stored := s.messages[m.id]
		fmt.Fprintf(&b, "\n%s %s %s %s shows %s: round %d, %s, from %s %s, arrival %d", m.at.Format("15:04:05.000"),
			m.id, m.by.name, stored.Type, m.shown, m.round,
			strings.TrimPrefix(stored.ConversationPK, "CONV#"+w.phone+"#"), stored.From, stored.FromUserID,
			stored.Arrival)
	}
	for _, pk := range slices.Sorted(maps.Keys(s.aliases)) {
		fmt.Fprintf(&b, "\n%s: %v", pk, s.aliases[pk].Owners)
	}
	for _, pk := range slices.Sorted(maps.Keys(s.conversations)) {
		c := s.conversations[pk]
		fmt.Fprintf(&b, "\n%s first %s last %s to %s aliases %v opted out %q merged into %s", pk, c.FirstOrder,
			c.LastMessagePK, c.From, c.Aliases, c.OptedOutAt, c.MergedInto)
	}
	return b.String()
}
