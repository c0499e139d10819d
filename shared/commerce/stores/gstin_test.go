package stores

import "testing"

func TestAGSTINHasItsFormAndItsCheckDigit(t *testing.T) {
	for text, want := range map[string]bool{
		"27AAPFU0939F1ZV": true, "29AAGCB7383J1Z4": true,
		"27AAPFU0939F1ZW": false, // another check digit
		"72AAPFU0939F1ZV": false, // two digits changed places
		"27aapfu0939f1zv": false, "27AAPFU0939F1Z": false, "27AAPFU0939F1ZVV": false, "": false,
		"2AAAPFU0939F1ZV": false, "27AAPFU0939F1YV": false, "27AAPFU0939F1Z\x00": false,
	} {
		if got := IsGSTIN(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
