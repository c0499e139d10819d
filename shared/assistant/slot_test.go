package assistant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/assistant"
)

var now = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

func TestAValueIsReadAsPeopleWriteIt(t *testing.T) {
	shift := []string{"Day", "Night", "Night with cab"}
	for _, c := range []struct {
		kind       assistant.Kind
		text, want string
	}{
		{assistant.Number, "around 1,20,000 rupees", "120000"}, {assistant.Number, "२५", "25"},
		{assistant.Number, "2 or 3", ""}, {assistant.Number, "many", ""}, {assistant.Number, "3.50", "3.5"},
		{assistant.Date, "12/3/1990", "1990-03-12"}, {assistant.Date, "I was born on 12th March, 1990", "1990-03-12"},
		{assistant.Date, "5 दिसंबर", "2026-12-05"}, {assistant.Date, "5 november", "2027-11-05"},
		{assistant.Date, "31/02/2024", ""}, {assistant.Date, "march 12 1990", "1990-03-12"},
		{assistant.Date, "12-03-90", "1990-03-12"}, {assistant.Date, "2026-12-01", "2026-12-01"},
		{assistant.Date, "kal", ""}, {assistant.Date, "tomorrow", "2026-11-25"}, {assistant.Date, "आज", "2026-11-24"},
		{assistant.Date, "5 kg", ""}, {assistant.Date, "1 dec or 2 dec", ""}, {assistant.Date, "99/99/9999", ""},
		{assistant.Phone, "mera number 098765-43210 hai", "+919876543210"}, {assistant.Phone, "12345", ""},
		{assistant.Phone, "+44 20 7946 0958", "+442079460958"}, {assistant.Phone, "९८७६५४३२१०", "+919876543210"},
		{assistant.Choice, "2", "Night"}, {assistant.Choice, "the night with the cab", "Night with cab"},
		{assistant.Choice, "nite", ""}, {assistant.Choice, "day or night", ""}, {assistant.Choice, "day please", "Day"},
		{assistant.Text, " Asha Rao ", "Asha Rao"}, {assistant.Text, " ", ""},
		{assistant.Text, strings.Repeat("x", assistant.MaxValue+1), ""}, {assistant.Text, "\xff", ""},
	} {
		slot := assistant.Slot{Name: "s", Kind: c.kind}
		if c.kind == assistant.Choice {
			slot.Options = shift
		}
		turn := assistant.Turn{Now: now, Country: "IN"}
		have, err := slot.Read(assistant.Said{Role: assistant.User, Text: c.text}, turn)
		if have != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q: %q %v, want %q", c.kind, c.text, have, err, c.want)
		}
		if again, err := slot.Value(have, turn); have != "" && (err != nil || again != have) {
			t.Errorf("%s %q is not its own form: %q %v", c.kind, have, again, err)
		}
	}
}

func TestAFileIsOneThatThePersonHasSent(t *testing.T) {
	slot := assistant.Slot{Name: "cv", Kind: assistant.File}
	turn := assistant.Turn{Said: []assistant.Said{
		{Role: assistant.User, File: "m1"}, {Role: assistant.Clerk, File: "ours"}}}
	for id, ok := range map[string]bool{"m1": true, "ours": false, "m2": false, "": false} {
		if have, err := slot.Value(id, turn); (err == nil) != ok || ok && have != id {
			t.Errorf("%q: %q %v", id, have, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"12/3/1990", "2", "+91 98765 43210", "1e99999", "२५,००० \x00\xff", "-0.0000001"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		turn := assistant.Turn{Now: now, Country: "IN"}
		for _, kind := range assistant.Kinds {
			slot := assistant.Slot{Name: "s", Kind: kind, Options: []string{"Day", "Night"}}
			value, err := slot.Read(assistant.Said{Role: assistant.User, Text: text}, turn)
			if err != nil {
				continue
			}
			if again, err := slot.Value(value, turn); err != nil || again != value {
				t.Errorf("%s %q: %q is not its own form: %q %v", kind, text, value, again, err)
			}
		}
	})
}
