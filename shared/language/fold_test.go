package language

import "testing"

func TestSpellingsOfAWordHaveOneKey(t *testing.T) {
	for _, same := range [][]string{
		{"cheeni", "chini", "चीनी"}, {"phool", "fool", "फूल"}, {"nahi", "नहीं"}, {"namkeen", "namkin", "नमकीन"},
		{"wapas", "vapas", "वापस"}, {"café", "cafe"},
	} {
		for _, word := range same[1:] {
			if have, want := Fold(Plain(word)), Fold(Plain(same[0])); have != want {
				t.Errorf("%s is %s, %s is %s", word, have, same[0], want)
			}
		}
	}
}

func TestTypingErrors(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{{"tamatar", "tamatar", 0}, {"tamatar", "tamtar", 1}, {"basamti", "basmati", 1}, {"aalo", "piyaz", 2}, {
		"onoin", "onion", 1}} {
		if have := Edits(row.a, row.b, 1); have != row.want {
			t.Errorf("%s, %s: have %d, want %d", row.a, row.b, have, row.want)
		}
	}
}

func TestATextTellsItsLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"when will my order come": English, "मेरा ऑर्डर": Hindi, "mera order kab aayega": Latin, "Ravi 98765": "",
		"refund kab milega please": Latin, "": "",
	} {
		if have := Tell(text); have != want {
			t.Errorf("%q is %q, want %q", text, have, want)
		}
	}
}
