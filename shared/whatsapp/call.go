package whatsapp

import (
	"encoding/json"
	"strings"
)

// Events of calls beside Meta's statuses of them (RINGING, ACCEPTED, REJECTED).
const (
	CallConnect    = "connect"
	CallTerminate  = "terminate"
	CallRecording  = "call_recording_available"
	CallTranscript = "call_transcription_available"
)

// CallEvent is what Meta says of a call.
type CallEvent struct {
	ID        string
	Event     string // one of the constants, a status in capitals, or a word that is not known
	Outcome   string // of a terminated call: COMPLETED, FAILED
	Direction string // USER_INITIATED, BUSINESS_INITIATED; "" if it is not said
	Timestamp string
	From, To  string
	// CustomerIDs are the customer's identifiers: the number where there is one, then user ids.
	CustomerIDs        []string
	StartTime, EndTime string
	Duration           int64           // in seconds
	File               json.RawMessage // of a recording or a transcript
	Errors             []Error
}

// DecodeCalls reads the value of the field calls. An element without an id is left out. The session of a call, which
// says how to connect to it, is never kept.
func DecodeCalls(v Object) []CallEvent {
	business := digitsIn(v.Object("metadata").Text("display_phone_number"))
	userID := ""
	if contacts := v.List("contacts").Objects(); len(contacts) == 1 {
		userID = contacts[0].Text("user_id")
	}
	var all []CallEvent
	for _, o := range v.List("calls").Objects() {
		e := CallEvent{
			ID: o.Text("id"), Event: o.Text("event"), Outcome: strings.ToUpper(o.Text("status")),
			Direction: strings.ToUpper(o.Text("direction")),
			Timestamp: o.Text("timestamp"), From: o.Text("from"), To: o.Text("to"), StartTime: o.Text("start_time"),
			EndTime:  o.Text("end_time"),
			Duration: max(0, o.Int("duration")), Errors: DecodeErrors(o.List("errors")),
		}
		for _, name := range []string{"call_recording", "call_transcript"} {
			if firstByte(o[name]) == '{' {
				e.File = o[name]
			}
		}
		fromBusiness := e.Direction == "BUSINESS_INITIATED" ||
			e.Direction == "" && business != "" && digitsIn(e.From) == business
		if fromBusiness {
			e.CustomerIDs = nonEmpty(e.To, o.Text("to_user_id"), userID)
		} else {
			e.CustomerIDs = nonEmpty(e.From, o.Text("from_user_id"), userID)
		}
		if e.ID != "" {
			all = append(all, e)
		}
	}
	for _, o := range v.List("statuses").Objects() {
		e := CallEvent{
			ID: o.Text("id"), Event: strings.ToUpper(o.Text("status")), Direction: "BUSINESS_INITIATED",
			Timestamp:   o.Text("timestamp"),
			To:          o.Text("recipient_id"),
			CustomerIDs: nonEmpty(o.Text("recipient_id"), o.Text("recipient_user_id"), userID),
			Errors:      DecodeErrors(o.List("errors")),
		}
		if e.ID != "" {
			all = append(all, e)
		}
	}
	return all
}

func nonEmpty(texts ...string) []string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

func digitsIn(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
