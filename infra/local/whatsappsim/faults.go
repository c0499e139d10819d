package whatsappsim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is something that goes wrong with the next messages that match.
type Fault struct {
	Match Match `json:"match"`
	// Times is how many messages it applies to: 1 where it is left out, -1 until the faults are cleared.
	Times int `json:"times"`

	Fail *FaultError `json:"fail,omitempty"` // refused with a Graph error
	// answered with this status and no Graph error; nothing is accepted
	HTTP        int            `json:"http,omitempty"`
	FailStatus  *FaultError    `json:"failStatus,omitempty"`  // accepted, then failed
	LoseAnswer  bool           `json:"loseAnswer,omitempty"`  // accepted, and the connection cut without an answer
	DelayAnswer Duration       `json:"delayAnswer,omitempty"` // the answer comes late
	Statuses    *StatusesFault `json:"statuses,omitempty"`    // what happens to the status webhooks
}

// Match narrows a fault; empty fields match everything. To is a phone number, a BSUID or a group. TextContains looks at
// every string in the message.
type Match struct {
	PhoneNumberID string `json:"phoneNumberId,omitempty"`
	To            string `json:"to,omitempty"`
	Type          string `json:"type,omitempty"`
	TextContains  string `json:"textContains,omitempty"`
}

// FaultError is an error of WhatsApp. HTTP is 400 if it is left out, Title WhatsApp's own.
type FaultError struct {
	Code    int    `json:"code"`
	HTTP    int    `json:"http,omitempty"`
	Title   string `json:"title,omitempty"`
	Details string `json:"details,omitempty"`
}

// StatusesFault changes the status webhooks of a message: all of them later, some of them not at all, each of them
// twice, or the last one first.
type StatusesFault struct {
	Delay     Duration `json:"delay,omitempty"`
	Drop      []string `json:"drop,omitempty"`
	Duplicate bool     `json:"duplicate,omitempty"`
	Reorder   bool     `json:"reorder,omitempty"`
}

// Duration is a duration that JSON writes as "1m30s".
type Duration time.Duration

// MarshalText writes the duration as Go does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what Go reads as a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err == nil && (parsed < 0 || parsed > time.Hour) {
		err = errors.New("a duration must be from 0 to 1h")
	}
	*d = Duration(parsed)
	return err
}

const maxFaults = 1000

type faults struct {
	mu  sync.Mutex
	set []Fault
}

func (f *Fault) validate() error {
	if f.Times == 0 {
		f.Times = 1
	}
	refusals := 0
	for _, set := range []bool{f.Fail != nil, f.HTTP != 0} {
		if set {
			refusals++
		}
	}
	effects := f.FailStatus != nil || f.LoseAnswer || f.DelayAnswer != 0 || f.Statuses != nil
	switch {
	case refusals == 0 && !effects:
		return errors.New("the fault has no effect: one of fail, http, failStatus, loseAnswer, delayAnswer, statuses")
	case refusals > 1, refusals == 1 && (f.FailStatus != nil || f.Statuses != nil):
		return errors.New("fail and http stand alone, or with loseAnswer or delayAnswer")
	case f.HTTP != 0 && (f.HTTP < 300 || f.HTTP > 599):
		return fmt.Errorf("http must be from 300 to 599, is %d", f.HTTP)
	case f.Fail != nil && f.Fail.HTTP != 0 && (f.Fail.HTTP < 300 || f.Fail.HTTP > 599):
		return fmt.Errorf("fail.http must be from 300 to 599, is %d", f.Fail.HTTP)
	}
	if f.Statuses != nil {
		for _, name := range f.Statuses.Drop {
			if !slices.Contains([]string{"sent", "delivered", "read", "failed"}, name) {
				return fmt.Errorf("statuses.drop: %q is not a status", name)
			}
		}
	}
	return nil
}

func (f *faults) add(fault Fault) error {
	if err := fault.validate(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.set) >= maxFaults {
		return fmt.Errorf("there are %d faults already", maxFaults)
	}
	f.set = append(f.set, fault)
	return nil
}

func (f *faults) list() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Fault{}, f.set...)
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set = nil
}

// take finds the first fault for a message and uses one of its times. It returns the zero fault where none matches.
func (f *faults) take(phone, to, kind string, fields map[string]any) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.set {
		fault := f.set[i]
		if !fault.Match.matches(phone, to, kind, fields) {
			continue
		}
		if fault.Times > 0 {
			f.set[i].Times--
		}
		if f.set[i].Times == 0 {
			f.set = slices.Delete(f.set, i, i+1)
		}
		return fault
	}
	return Fault{}
}

func (m Match) matches(phone, to, kind string, fields map[string]any) bool {
	switch {
	case m.Type != kind && (m.Type != "" || kind == readReceipt || kind == download || kind == setting):
		return false
	case m.PhoneNumberID != "" && m.PhoneNumberID != phone:
		return false
	case m.To != "" && m.To != to && digitsOf(m.To) != to:
		return false
	}
	return m.TextContains == "" || containsText(fields, m.TextContains)
}

func containsText(value any, text string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, text)
	case []any:
		return slices.ContainsFunc(value, func(element any) bool { return containsText(element, text) })
	case map[string]any:
		for _, field := range value {
			if containsText(field, text) {
				return true
			}
		}
	}
	return false
}
