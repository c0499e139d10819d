package assistant

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxReply bounds a reply, in characters. A longer one is not sent.
const MaxReply = 3000

// Check returns what a turn allows of an answer, whoever has made it. An answer that the turn does not allow hands the
// conversation over:
//   - a reply without a source, or with a link, an address, a figure or a promise that neither its sources nor the
//     owner have said;
//   - a reply that tells the owner's instructions;
//   - a call of something that is not declared, or with arguments that are not as the schema says;
//   - the end of a task of which something is not known yet.
//
// Values of slots that nobody wants, and those that are no values, are left out.
func Check(turn Turn, answer Answer) Answer {
	answer.Values = turn.valid(answer.Values)
	answer.Sources = turn.known(answer.Sources)
	if reason := turn.against(answer); reason != "" {
		return Answer{Action: HandOver, Reason: reason, Values: answer.Values, Usage: answer.Usage}
	}
	switch answer.Action {
	case CallTool:
		answer.Reply, answer.Asks = "", ""
	case HandOver:
		answer.Reply, answer.Asks, answer.Call = "", "", Call{}
	default:
		answer.Call, answer.Reason = Call{}, ""
	}
	if answer.Action != Offer {
		answer.Buttons = nil
	}
	return answer
}

// against returns why an answer is not allowed; "" if it is.
func (t Turn) against(a Answer) Reason {
	if utf8.RuneCountInString(a.Reply) > MaxReply {
		return Unreadable
	}
	_, missing := t.Missing(a.Values)
	switch a.Action {
	case HandOver:
		return a.Reason
	case CallTool:
		if !t.allows(a.Call) {
			return NotAllowed
		}
		return ""
	case Complete:
		if missing || len(t.Slots) == 0 {
			return NotAllowed
		}
	case Ask:
		if !slices.ContainsFunc(t.Slots, func(s Slot) bool { return s.Name == a.Asks }) {
			return Ungrounded
		}
	case Offer:
		if offers := a.Offers(); len(offers) == 0 || len(t.known(offers)) < len(offers) {
			return Ungrounded
		}
	case Reply:
		if len(a.Sources) == 0 {
			return Ungrounded
		}
	default:
		return Unreadable
	}
	switch {
	case strings.TrimSpace(a.Reply) == "":
		return Unreadable
	case !t.supports(a):
		return Ungrounded
	}
	return ""
}

// valid returns the values of slots that are wanted, in their one form.
func (t Turn) valid(values map[string]string) map[string]string {
	valid := map[string]string{}
	for _, slot := range t.Slots {
		if text, given := values[slot.Name]; given {
			if value, err := slot.Value(text, t); err == nil {
				valid[slot.Name] = value
			}
		}
	}
	return valid
}

// known returns the sources that the turn has.
func (t Turn) known(sources []string) []string {
	return slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(sources))), func(id string) bool {
		_, has := t.source(id)
		return !has
	})
}

// source returns what a source says: all that an entry says, or the text of a result.
func (t Turn) source(id string) (string, bool) {
	for _, result := range t.Results {
		if result.Name == id {
			return result.Text, true
		}
	}
	for _, found := range t.Found {
		if found.ID == id {
			return found.Question + "\n" + found.Answer, true
		}
	}
	for _, entry := range t.Offered {
		if entry.ID == id && entry.Answer != "" {
			return entry.Question + "\n" + entry.Answer, true
		}
	}
	return "", false
}

// allows reports whether a call is declared, with arguments as they should be, and has not been made in this turn.
func (t Turn) allows(call Call) bool {
	if slices.ContainsFunc(t.Results, func(r Result) bool { return r.Name == call.Name }) {
		return false
	}
	if slices.Contains(t.Lookups, Lookup(call.Name)) {
		return len(call.Arguments) == 0 || string(call.Arguments) == "{}"
	}
	at := slices.IndexFunc(t.Functions, func(f Function) bool { return f.Name == call.Name })
	return at >= 0 && t.Functions[at].Check != nil && t.Functions[at].Check(call.Arguments) == nil
}

// supports reports whether every link, address, figure and promise of a reply is in its sources, in what the owner has
// written, or in what is known of the person. A model that was talked into one does not get it past this.
func (t Turn) supports(a Answer) bool {
	texts := []string{t.Instructions, t.Business}
	for _, id := range append(a.Offers(), a.Sources...) {
		text, _ := t.source(id)
		texts = append(texts, text)
	}
	for _, slot := range t.Slots {
		texts = append(texts, slot.Options...)
		texts = slices.AppendSeq(texts, maps.Values(slot.Question))
	}
	texts = slices.AppendSeq(texts, maps.Values(t.Values))
	texts = slices.AppendSeq(texts, maps.Values(a.Values))
	all := strings.Join(texts, "\n")
	return grounded(a.Reply, all) && !commits(a.Reply, all) && !leaks(a.Reply, t.Instructions)
}
