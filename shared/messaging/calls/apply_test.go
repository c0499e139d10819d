package calls

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	connect    = `{"calls":[{"id":"c","from":"919876543210","to":"15550783881","event":"connect","direction":"USER_INITIATED","timestamp":"1763726400","session":{"sdp":"SECRET"}}]}`
	missed     = `{"calls":[{"id":"c","from":"919876543210","to":"15550783881","event":"terminate","direction":"USER_INITIATED","timestamp":1763726430,"status":"FAILED","errors":[{"code":138000}]}]}`
	completed  = `{"calls":[{"id":"c","from":"919876543210","to":"15550783881","event":"terminate","direction":"USER_INITIATED","timestamp":"1763726430","status":"COMPLETED","start_time":"1763726405","end_time":"1763726429","duration":24}]}`
	endless    = `{"calls":[{"id":"c","from":"919876543210","timestamp":"1763726430","event":"terminate","direction":"USER_INITIATED","status":"COMPLETED","duration":"9223372036854775807"}]}`
	recorded   = `{"calls":[{"id":"c","from":"919876543210","timestamp":"1763726500","event":"call_recording_available","call_recording":{"type":"audio","audio":{"id":"7"}}}]}`
	written    = `{"calls":[{"id":"c","from":"919876543210","timestamp":"1763726510","event":"call_transcription_available","call_transcript":{"document":{"id":"8"}}}]}`
	oursRings  = `{"statuses":[{"id":"c","timestamp":"1763726401","type":"call","status":"RINGING","recipient_id":"919876543210"}]}`
	oursTaken  = `{"statuses":[{"id":"c","timestamp":"1763726403","type":"call","status":"ACCEPTED","recipient_id":"919876543210"}]}`
	oursEnded  = `{"calls":[{"id":"c","from":"15550783881","to":"919876543210","event":"terminate","direction":"BUSINESS_INITIATED","timestamp":"1763726430","status":"COMPLETED","start_time":"1763726404","duration":26}]}`
	oursRefuse = `{"statuses":[{"id":"c","timestamp":"1763726403","type":"call","status":"REJECTED","recipient_id":"919876543210"}]}`
)

// told returns the call after events, and the latest time from which the window counts.
func told(t interface{ Fatal(...any) }, values ...string) (model.Call, model.Time) {
	var c model.Call
	var opens model.Time
	for _, text := range values {
		var v whatsapp.Object
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		for _, e := range whatsapp.DecodeCalls(v) {
			at := model.At(whatsapp.Text(e.Timestamp).Seconds())
			if c.ReceivedAt == "" {
				c.ReceivedAt = at
			}
			apply(&c, e, at)
			opens = max(opens, opensAt(e, at))
		}
	}
	return c, opens
}

func TestACallIsWhatItsEventsTell(t *testing.T) {
	type shown struct {
		Status               model.CallStatus
		By                   string
		Taken                bool
		Started, Ended, From string
		Duration             int64
		Opens                string
	}
	clock := func(at model.Time) string {
		if at == "" {
			return ""
		}
		return at.Go().Format("04:05")
	}
	for name, c := range map[string]struct {
		events []string
		want   shown
	}{
		"a customer calls": {
			[]string{connect}, shown{"initiated", "customer", false, "00:00", "", "919876543210", 0, "00:00"}},
		"and nobody takes it": {
			[]string{missed, connect},
			shown{"failed", "customer", false, "00:00", "00:30", "919876543210", 0, "00:30"}},
		"and somebody does": {
			[]string{connect, completed, recorded},
			shown{"ended", "customer", true, "00:05", "00:29", "919876543210", 24, "00:05"}},
		"for ever, it seems": {
			[]string{endless}, shown{"ended", "customer", true, "", "00:30", "919876543210", 1<<63 - 1, "00:30"}},
		"we call": {[]string{oursRings}, shown{"ringing", "business", false, "00:01", "", "", 0, ""}},
		"and they take it": {
			[]string{oursRings, oursTaken}, shown{"answered", "business", true, "00:01", "", "", 0, "00:03"}},
		"and hang up": {
			[]string{oursEnded, oursTaken, oursRings},
			shown{"ended", "business", true, "00:04", "00:30", "15550783881", 26, "00:04"}},
		"or refuse": {
			[]string{oursRings, oursRefuse}, shown{"failed", "business", false, "00:01", "", "", 0, ""}},
		"a recording alone": {[]string{recorded}, shown{From: "919876543210"}},
		"a word nobody knows": {
			[]string{`{"calls":[{"id":"c","from":"919876543210","event":"held","timestamp":"1763726400"}]}`},
			shown{Started: "00:00", From: "919876543210"}},
		"what is not a call": {[]string{`{"calls":[7,{"from":"x"}],"statuses":"y"}`}, shown{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, opens := told(t, append(c.events, c.events...)...)
			is := shown{
				got.Status, got.CalledBy, got.Taken, clock(got.StartedAt), clock(got.EndedAt), got.From, got.Duration,
				clock(opens)}
			if diff := cmp.Diff(c.want, is); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheOrderOfACallsEventsChangesNothing(t *testing.T) {
	for _, events := range [][]string{
		{connect, completed, recorded, written}, {connect, missed}, {oursRings, oursTaken, oursEnded}} {
		want, opens := told(t, events...)
		rapid.Check(t, func(t *rapid.T) {
			got, opened := told(t, append(rapid.Permutation(events).Draw(t, "order"), events...)...)
			if diff := cmp.Diff(want, got); diff != "" || opened != opens {
				t.Fatalf("%s %s: %s", opens, opened, diff)
			}
		})
	}
}
