package whatsappsim

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

var (
	pinForm    = regexp.MustCompile(`^[0-9]{6}$`)
	localeForm = regexp.MustCompile(`^[a-z]{2}(_[A-Z]{2})?$`)
)

// SentCode is the code that a number gets to verify it.
const SentCode = "424242"

const (
	registerPeriod = 72 * time.Hour
	mostRegisters  = 10 // in that period, with those that end a registration
)

// register connects a number, as whoever has added it must do once. Its first PIN is the one for two-step verification.
func (s *Server) register(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	of := object{fields: fields}
	switch pin := of.text("pin"); {
	case of.text("messaging_product") != "whatsapp":
		return nil, invalidParameter("The parameter messaging_product is required.")
	case !pinForm.MatchString(pin):
		return nil, invalidParameter("Param pin must be 6 characters long.")
	case s.account.get().Verification != "VERIFIED":
		return nil, refuse(http.StatusBadRequest, 133006, "Verify the phone number before registering it.")
	}
	refusal := s.settings.change(phone, func(n *numberSettings) *graphError {
		if n.pin != "" && n.pin != of.text("pin") {
			return refuse(http.StatusBadRequest, 133005, "The two-step verification PIN is not correct.")
		}
		n.pin = of.text("pin")
		if n.encryption != nil { // the signature of the key was made for the registration before
			n.encryption = map[string]any{
				"business_public_key":                  n.encryption["business_public_key"],
				"business_public_key_signature_status": "MISMATCH"}
		}
		return n.counted(s.options.Now())
	})
	if refusal == nil {
		s.account.change(func(a *Account) { a.Status = "CONNECTED" })
	}
	return nil, refusal
}

// counted counts a registration, or the end of one.
func (n *numberSettings) counted(now time.Time) *graphError {
	n.registered = slices.DeleteFunc(n.registered, func(at time.Time) bool { return now.Sub(at) >= registerPeriod })
	if len(n.registered) >= mostRegisters {
		return refuse(http.StatusBadRequest, 133016,
			"The number was registered and deregistered %d times in 72 hours.", mostRegisters)
	}
	n.registered = append(n.registered, now)
	return nil
}

func (s *Server) deregister(phone string, _ *http.Request, _ map[string]any) (any, *graphError) {
	if s.account.get().Status != "CONNECTED" {
		return nil, refuse(http.StatusBadRequest, 133010, "The phone number is not registered.")
	}
	refusal := s.settings.change(phone, func(n *numberSettings) *graphError { return n.counted(s.options.Now()) })
	if refusal == nil {
		s.account.change(func(a *Account) { a.Status = "DISCONNECTED" })
	}
	return nil, refusal
}

// requestCode sends a code to a number. It is SentCode.
func (s *Server) requestCode(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	c, of := &check{}, object{fields: fields}
	c.oneOf(of, "code_method", "SMS", "VOICE")
	if !localeForm.MatchString(of.text("language")) {
		c.invalid("language", "must be a locale, such as en_US.")
	}
	if s.account.get().Verification == "VERIFIED" {
		c.fail(refuse(http.StatusBadRequest, 136024, "The phone number is verified already."))
	}
	if c.err != nil {
		return nil, c.err
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError { n.code = SentCode; return nil })
}

func (s *Server) verifyCode(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	refusal := s.settings.change(phone, func(n *numberSettings) *graphError {
		if n.code == "" || (object{fields: fields}).text("code") != n.code {
			return refuse(http.StatusBadRequest, 136025, "The code is not correct.")
		}
		n.code = ""
		return nil
	})
	if refusal == nil {
		s.account.change(func(a *Account) { a.Verification = "VERIFIED" })
	}
	return nil, refusal
}

// setNumber sets the PIN of a number, or asks for another name of it.
func (s *Server) setNumber(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
	of := object{fields: fields}
	pin, name := of.text("pin"), of.text("new_display_name")
	switch {
	case (pin == "") == (name == ""):
		return nil, invalidParameter("One of the parameters pin and new_display_name is required.")
	case pin != "" && !pinForm.MatchString(pin):
		return nil, invalidParameter("Param pin must be 6 characters long.")
	case name != "" && (len(name) < 3 || len(name) > 512):
		return nil, invalidParameter("Param new_display_name must be 3 to 512 characters long.")
	}
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		if pin != "" {
			n.pin = pin
		} else {
			n.newName = name
		}
		return nil
	})
}
