package stores

import "strings"

// gstinDigits are the characters of a GSTIN, by their value for its check digit.
const gstinDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// gstinForm says what stands at each place of a GSTIN: the state, the PAN, which registration of the PAN in the state
// it is, the letter Z, and the check digit. 0 is a digit, A a letter, and * either.
const gstinForm = "00AAAAA0000A*Z*"

// IsGSTIN reports whether a text is a GSTIN by its form and its check digit.
func IsGSTIN(text string) bool {
	if len(text) != len(gstinForm) {
		return false
	}
	sum := 0
	for i, form := range []byte(gstinForm) {
		value := strings.IndexByte(gstinDigits, text[i])
		switch {
		case value < 0, form == '0' && value > 9, form == 'A' && value < 10, form == 'Z' && text[i] != 'Z':
			return false
		}
		if i < len(gstinForm)-1 {
			product := value * (1 + i%2)
			sum += product/len(gstinDigits) + product%len(gstinDigits)
		}
	}
	return text[len(text)-1] == gstinDigits[(len(gstinDigits)-sum%len(gstinDigits))%len(gstinDigits)]
}
