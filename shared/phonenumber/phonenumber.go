// Package phonenumber reads phone numbers as people type them, and returns them as WhatsApp names them: the digits with
// the country's calling code. Every operation and command that takes a number reads it here, so that one number has one
// spelling.
package phonenumber

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// ErrNoNumber means that a text is no phone number, or that it has no calling code and no country is known.
var ErrNoNumber = errors.New("not a phone number with its country code")

// The digits of a phone number with its calling code, by ITU-T E.164. WhatsApp has no shorter ones.
const (
	minDigits = 8
	maxDigits = 15
)

// Parse returns the digits of a number with its calling code: 919876543210 for "+91 98765 43210", "0091 98765-43210"
// and, in the country IN, for "098765 43210" and "98765 43210". country is the ISO 3166-1 code of the country whose
// national forms are understood; "" for none. It returns ErrNoNumber.
func Parse(text, country string) (string, error) {
	digits, plus, ok := digitsOf(text)
	if !ok {
		return "", ErrNoNumber
	}
	home, known := planOf(country)
	switch {
	case plus:
		digits = withoutTrunk(digits)
	case strings.HasPrefix(digits, "00"):
		digits = withoutTrunk(digits[2:])
	case known && home.code == "1" && strings.HasPrefix(digits, "011"):
		digits = withoutTrunk(digits[3:])
	case known:
		digits = home.international(digits)
	}
	if len(digits) < minDigits || len(digits) > maxDigits || digits[0] == '0' {
		return "", ErrNoNumber
	}
	return digits, nil
}

// digitsOf returns the digits of a number in any script, and reports whether a plus stands before them. It reports
// false for a text that holds anything but digits and the punctuation of numbers.
func digitsOf(text string) (digits string, plus, ok bool) {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case unicode.Is(unicode.Nd, r):
			b.WriteByte('0' + valueOf(r))
		case (r == '+' || r == '＋') && b.Len() == 0 && !plus:
			plus = true
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r), r == '\u2212',
			strings.ContainsRune("().\u00ad/\u200b\u200e\u200f\u202a\u202c\u2060", r):
		default:
			return "", false, false
		}
	}
	return b.String(), plus, b.Len() > 0
}

// valueOf returns the value of a decimal digit. Unicode has the ten digits of a script one after the other, the zero
// first.
func valueOf(r rune) byte {
	value := byte(0)
	for unicode.Is(unicode.Nd, r-1) && value < 9 {
		r, value = r-1, value+1
	}
	return value
}

// planOf returns the plan of a country.
func planOf(country string) (plan, bool) {
	if len(country) != 2 {
		return plan{}, false
	}
	for _, p := range plans {
		if slices.Contains(strings.Fields(p.countries), strings.ToUpper(country)) {
			return p, true
		}
	}
	return plan{}, false
}

// IsCountry reports whether a text is the ISO 3166-1 code of a country whose numbers are known.
func IsCountry(code string) bool {
	_, known := planOf(code)
	return known && code == strings.ToUpper(code)
}

// mobile reports whether digits may be a mobile number of a plan, without code and trunk prefix.
func (p plan) mobile(digits string) bool { return slices.Contains(p.lengths, len(digits)) }

// international returns digits without a plus in the international form. Digits that are no number of the plan stay as
// they are: people leave out the plus of foreign numbers.
func (p plan) international(digits string) string {
	if national, ok := strings.CutPrefix(digits, p.code); ok && p.mobile(national) {
		return digits
	}
	if national, ok := strings.CutPrefix(digits, p.trunk); ok && p.mobile(national) {
		return p.code + national
	}
	if p.mobile(digits) {
		return p.code + digits
	}
	return digits
}

// withoutTrunk returns an international number without a trunk prefix that stands after the calling code: +91 (0) 98765
// 43210.
func withoutTrunk(digits string) string {
	for _, p := range plans {
		national, ok := strings.CutPrefix(digits, p.code)
		if !ok || p.trunk == "" || p.mobile(national) {
			continue
		}
		if rest, has := strings.CutPrefix(national, p.trunk); has && p.mobile(rest) {
			return p.code + rest
		}
	}
	return digits
}

// CountryOf returns a country whose national forms are those of a number with its calling code: one of the countries
// that share the code and its plan. It returns "" for a code that nobody has.
func CountryOf(digits string) string {
	best := plan{}
	for _, p := range plans {
		if national, ok := strings.CutPrefix(digits, p.code); ok &&
			(len(p.code) > len(best.code) || p.mobile(national)) {
			best = p
		}
	}
	country, _, _ := strings.Cut(best.countries, " ")
	return country
}

// Complete reports whether digits with their calling code have the length of a mobile number of their country: they are
// no beginning of one.
func Complete(digits string) bool {
	return slices.ContainsFunc(plans, func(p plan) bool {
		national, ok := strings.CutPrefix(digits, p.code)
		return ok && p.mobile(national)
	})
}
