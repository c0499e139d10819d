package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The outcomes of a part of a body.
type fate int

const (
	understood fate = iota
	kept            // logged, and shown as something that is not known
	parked          // cannot be used; a person may replay it
)

// outcome is what the messages table contains of the bodies.
type outcome struct {
	ids         int
	shared      int      // ids that stand in several bodies, which may be about different things
	unnamed     int      // messages, statuses and calls without an id, which cannot be looked up
	missing     []string // ids without a message or a call
	unprocessed []string // entries that are not in the log, or not processed
	parked      []string // parked entries, with their error
	fates       map[string][3]int
}

func (o outcome) settled() bool { return len(o.missing) == 0 && len(o.unprocessed) == 0 }

func (s stored) outcomeOf(bodies []body) outcome {
	o := outcome{fates: map[string][3]int{}}
	var ids []string
	calls, bodiesOf := map[string]bool{}, map[string]int{}
	for _, b := range bodies {
		ids = append(ids, b.ids...)
		maps.Copy(calls, b.calls)
		for _, id := range b.ids {
			bodiesOf[id]++
		}
		entries, _ := whatsapp.DecodeWebhook(b.raw) // it is JSON
		for _, entry := range entries {
			s.addEntry(&o, b.name, entry)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	o.ids = len(ids)
	for _, n := range bodiesOf {
		if n > 1 {
			o.shared++
		}
	}
	o.missing = slices.DeleteFunc(ids,
		func(id string) bool { return s.hasMessage(id) || calls[id] && s.hasCall(id) })
	slices.Sort(o.unprocessed)
	slices.Sort(o.parked)
	return o
}

// hasMessage reports whether an id has an item that says more than that something waits for it.
func (s stored) hasMessage(id string) bool {
	m := s.messages[keys.Message(model.MessageID(id)).Partition]
	return m.Direction != "" || m.AttachedTo != "" || m.ErasedAt != "" || len(m.DeliveryStatusHistory) > 0
}

func (s stored) hasCall(id string) bool {
	return s.calls[keys.Call(model.Name(id)).Partition].CallID != ""
}

func (s stored) addEntry(o *outcome, file string, entry whatsapp.Entry) {
	event := s.events[keys.WebhookEvent(model.EventID(entry.ID)).Partition]
	name := fmt.Sprintf("%s of %s (%s)", entry.ID, file, entry.Kind)
	switch {
	case event.ProcessingError != "":
		o.parked = append(o.parked, name+": "+event.ProcessingError)
	case event.ProcessedAt == "":
		o.unprocessed = append(o.unprocessed, name)
	}
	parts := []part{{kind: entry.Malformed}}
	if entry.Malformed == "" {
		var value any
		_ = json.Unmarshal(entry.Value, &value) // a part of a body, which is JSON
		parts = partsOf(entry.Field, value)
	}
	for _, p := range parts {
		if p.id == "" && p.position != "" {
			o.unnamed++
		}
		of := o.fates[p.kind]
		of[s.fateOf(event, p)]++
		o.fates[p.kind] = of
	}
}

func (s stored) fateOf(event model.WebhookEvent, p part) fate {
	m := s.messages[keys.Message(model.MessageID(p.id)).Partition]
	switch {
	case event.ProcessingError != "" && concerns(event.ProcessingError, p.position):
		return parked
	// nothing but its type is known
	case event.EventType == whatsapp.KindUnknown, m.Direction != "" && m.Preview == "["+m.Type+"]":
		return kept
	}
	return understood
}

// concerns reports whether an error is about a position in the value, or about the whole value.
func concerns(reason, position string) bool {
	named := false
	for one := range strings.SplitSeq(strings.TrimPrefix(reason, "cannot be used: "), "; ") {
		if position != "" && strings.HasPrefix(one, position+":") {
			return true
		}
		of, _, _ := strings.Cut(one, ":")
		named = named || strings.HasSuffix(of, "]")
	}
	return !named
}

func (o outcome) report(out io.Writer) error {
	for _, id := range o.missing {
		fmt.Fprintf(out, "not found: %s\n", id)
	}
	for _, event := range o.unprocessed {
		fmt.Fprintf(out, "not processed: %s\n", event)
	}
	for _, event := range o.parked {
		fmt.Fprintf(out, "parked: %s\n", event)
	}
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "\nkind\tunderstood\tkept\tparked")
	for _, kind := range slices.Sorted(maps.Keys(o.fates)) {
		of := o.fates[kind]
		fmt.Fprintf(columns, "%s\t%d\t%d\t%d\n", kind, of[understood], of[kept], of[parked])
	}
	_ = columns.Flush() // out is the terminal
	fmt.Fprintf(out, "not judged, because they have no id: %d; ids that stand in several bodies, and count once: %d\n",
		o.unnamed,
		o.shared)
	fmt.Fprintf(out, "%d of %d messages, statuses and calls found; logged events: %d not processed, %d parked\n",
		o.ids-len(o.missing), o.ids, len(o.unprocessed), len(o.parked))
	if o.settled() {
		return nil
	}
	return fmt.Errorf("%d messages, statuses or calls are lost, %d events are not processed", len(o.missing),
		len(o.unprocessed))
}
