package calls

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The direction of a call.
const (
	byCustomer = "customer"
	byBusiness = "business"
)

var callers = map[string]string{"USER_INITIATED": byCustomer, "BUSINESS_INITIATED": byBusiness}

const (
	maxText    = 256      // bytes of one stored text
	maxFile    = 16 << 10 // bytes of what Meta says of a recording or a transcript
	maxEvents  = 16
	maxSeconds = 30 * 24 * 3600 // of a call, for its start
)

// apply adds what Meta tells of a call, and reports whether that changes anything. The result does not depend on the
// order of events or on how often each comes.
func apply(c *model.Call, told whatsapp.CallEvent, at model.Time) bool {
	word := model.Truncate(told.Event, maxText)
	if told.Event == whatsapp.CallTerminate {
		word += " " + model.Truncate(told.Outcome, maxText)
	}
	if slices.Contains(c.Events, word) || len(c.Events) >= maxEvents {
		return false
	}
	c.Events = append(c.Events, word)
	slices.Sort(c.Events)
	c.ReceivedAt = min(c.ReceivedAt, at)
	for _, field := range []struct {
		to   *string
		text string
	}{{&c.From, told.From}, {&c.To, told.To}, {&c.CalledBy, callers[told.Direction]}} {
		if *field.to == "" {
			*field.to = model.Truncate(field.text, maxText)
		}
	}
	next := statusAfter(told)
	if next.Rank() > c.Status.Rank() {
		c.Status = next
	}
	c.Taken = c.Taken || next == model.CallAnswered || next == model.CallEnded
	addTimes(c, told, at)
	if len(told.File) > 0 && len(told.File) <= maxFile {
		if told.Event == whatsapp.CallRecording {
			c.Recording = model.DocumentOf(told.File)
		} else {
			c.Transcript = model.DocumentOf(told.File)
		}
	}
	for _, e := range told.Errors {
		c.Errors = append(c.Errors, model.Problem{Code: e.Code, Title: e.Title, Message: e.Message, Details: e.Details})
	}
	return true
}

// statusAfter returns the state that an event shows; "" for one that shows none.
func statusAfter(told whatsapp.CallEvent) model.CallStatus {
	switch told.Event {
	case whatsapp.CallConnect:
		return model.CallInitiated
	case "RINGING":
		return model.CallRinging
	case "ACCEPTED":
		return model.CallAnswered
	case "REJECTED":
		return model.CallFailed
	case whatsapp.CallTerminate:
		if told.Outcome == "COMPLETED" && (told.Duration > 0 || told.StartTime != "") {
			return model.CallEnded
		}
		return model.CallFailed
	}
	return ""
}

// How well an event knows when its call started.
const (
	startGuessed = iota + 1
	startConnected
	startSaid
)

// addTimes sets when a call started and ended. The end of a call knows its start best, then the connection.
func addTimes(c *model.Call, told whatsapp.CallEvent, at model.Time) {
	start, rank := at, startGuessed
	switch told.Event {
	case whatsapp.CallConnect:
		rank = startConnected
	case whatsapp.CallTerminate:
		c.EndedAt, c.Duration = at, told.Duration
		if ended := whatsapp.Text(told.EndTime).Seconds(); !ended.IsZero() {
			c.EndedAt = min(model.At(ended), at) // never later than what tells of it
		}
		if start, rank = saidStart(told, at), startSaid; start == "" {
			return
		}
	case whatsapp.CallRecording, whatsapp.CallTranscript:
		return
	}
	if rank > c.StartRank || rank == c.StartRank && start < c.StartedAt {
		c.StartedAt, c.StartRank = start, rank
	}
}

// saidStart returns the start that an event spells out, never later than the event; "" for none.
func saidStart(told whatsapp.CallEvent, at model.Time) model.Time {
	start := whatsapp.Text(told.StartTime).Seconds()
	if start.IsZero() {
		return ""
	}
	return min(model.At(start), at)
}

// opensAt returns when the call that an event tells of opened the customer service window: a customer's call does,
// taken or not, and a call of the business that the customer took. It returns "" for an event that shows no such call.
func opensAt(told whatsapp.CallEvent, at model.Time) model.Time {
	status := statusAfter(told)
	taken := status == model.CallAnswered || status == model.CallEnded
	switch {
	case callers[told.Direction] == byBusiness && !taken, callers[told.Direction] == "":
		return ""
	case told.Event == whatsapp.CallTerminate:
		if start := saidStart(told, at); start != "" {
			return start
		}
		return model.At(at.Go().Add(-time.Duration(min(told.Duration, maxSeconds)) * time.Second))
	}
	return at
}
