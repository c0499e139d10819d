package templatecheck

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

type button struct {
	Type        string          `json:"type"`
	Text        string          `json:"text"`
	URL         string          `json:"url"`
	PhoneNumber string          `json:"phone_number"`
	Example     json.RawMessage `json:"example"` // a text, or a list of one
	OTPType     string          `json:"otp_type"`
	FlowID      string          `json:"flow_id"`
	FlowName    string          `json:"flow_name"`
	FlowJSON    string          `json:"flow_json"`
	Apps        []app           `json:"supported_apps"`
}

// app is an app that takes a code by itself.
type app struct {
	Package   string `json:"package_name"`
	Signature string `json:"signature_hash"`
}

// mostButtons are how many buttons of each kind Meta takes.
var mostButtons = lazy.Of[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"QUICK_REPLY": maxButtons, "URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1, "FLOW": 1, "CATALOG": 1, "MPM": 1,
		"SPM": 1, "VOICE_CALL": 1,
	}
}}

var phoneForm = lazy.Regexp(`^\+?[0-9]{5,20}$`)

// samplesOf returns the samples of a button, which Meta takes in both forms.
func (b button) samplesOf() []string {
	var one string
	if json.Unmarshal(b.Example, &one) == nil {
		return []string{one}
	}
	var several []string
	_ = json.Unmarshal(b.Example, &several) // anything else has no samples
	return several
}

func (c *check) buttons(path string, all []button, most int) {
	if len(all) == 0 || len(all) > most {
		c.fault(path, "1 to %d buttons", most)
	}
	count, groups, quick := map[string]int{}, 0, false
	for i, b := range all {
		kind := strings.ToUpper(b.Type)
		count[kind]++
		if limit, known := mostButtons.Get()[kind]; !known {
			c.fault(at(path, i, "type"),
				"one of QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW, CATALOG, MPM, SPM and VOICE_CALL")
			continue
		} else if count[kind] == limit+1 {
			c.fault(at(path, i, "type"), "at most %d of the kind %s", limit, kind)
		}
		if is := kind == "QUICK_REPLY"; i == 0 || is != quick {
			groups, quick = groups+1, is
		}
		c.button(path, i, kind, b)
	}
	if groups > 2 {
		c.fault(path, "the quick replies stand together, before or after the others")
	}
}

func (c *check) button(path string, i int, kind string, b button) {
	if kind != "COPY_CODE" {
		c.buttonText(path, i, b)
	}
	switch kind {
	case "URL":
		c.link(path, i, b)
	case "PHONE_NUMBER":
		if !phoneForm.Get().MatchString(b.PhoneNumber) || len(b.PhoneNumber) > maxPhone {
			c.fault(at(path, i, "phone_number"), "a phone number of at most %d digits", maxPhone)
		}
	case "COPY_CODE":
		code := b.samplesOf()
		if len(code) != 1 || code[0] == "" || length(code[0]) > maxCode {
			c.fault(at(path, i, "example"), "a code of 1 to %d characters", maxCode)
		}
	case "FLOW":
		if b.FlowID+b.FlowName+b.FlowJSON == "" {
			c.fault(at(path, i, "flow_id"), "the flow that it opens")
		}
	}
}

func (c *check) buttonText(path string, i int, b button) {
	if strings.TrimSpace(b.Text) == "" || length(b.Text) > maxButtonText || strings.Contains(b.Text, "\n") {
		c.fault(at(path, i, "text"), "one line of 1 to %d characters", maxButtonText)
	}
	c.plain(at(path, i, "text"), b.Text)
}

// link checks the address of a button. Its one variable stands at the end.
func (c *check) link(path string, i int, b button) {
	where := at(path, i, "url")
	fixed, variable := b.URL, false
	if found := variableForm.Get().FindStringIndex(b.URL); found != nil && found[1] == len(b.URL) {
		fixed, variable = b.URL[:found[0]], true
	}
	address, err := url.Parse(fixed)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" ||
		length(b.URL) > maxURL {
		c.fault(where, "an address of at most %d characters", maxURL)
	}
	if strings.Contains(fixed, "{{") || strings.Contains(fixed, "}}") {
		c.fault(where, "at most one variable, and at the end")
	}
	samples := b.samplesOf()
	if variable && b.URL != fixed+"{{1}}" {
		c.fault(where, "the variable is {{1}}")
	}
	if variable != (len(samples) == 1 && samples[0] != "") {
		c.fault(at(path, i, "example"), "one sample if the address has a variable, and otherwise none")
	}
}

// otp checks the one button of a template that carries a code.
func (c *check) otp(path string, all []button) {
	if len(all) != 1 || strings.ToUpper(all[0].Type) != "OTP" {
		c.fault(path, "one button of the type OTP")
		return
	}
	b := all[0]
	if length(b.Text) > maxButtonText {
		c.fault(at(path, 0, "text"), "at most %d characters", maxButtonText)
	}
	switch strings.ToUpper(b.OTPType) {
	case "COPY_CODE":
	case "ONE_TAP", "ZERO_TAP":
		if len(b.Apps) == 0 || slices.ContainsFunc(b.Apps,
			func(a app) bool { return a.Package == "" || a.Signature == "" }) {
			c.fault(at(path, 0, "supported_apps"), "the apps that take the code, each with its signature")
		}
	default:
		c.fault(at(path, 0, "otp_type"), "one of COPY_CODE, ONE_TAP and ZERO_TAP")
	}
}
