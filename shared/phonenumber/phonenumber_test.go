package phonenumber

import (
	"strings"
	"testing"
	"testing/quick"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, country, want string }{
		{"+91 98700 00088", "", "919870000088"},
		{"+919870000088", "IN", "919870000088"},
		{"0091 98700 00088", "IN", "919870000088"},
		{"0091 98700 00088", "", "919870000088"},
		{"098700 00088", "IN", "919870000088"},
		{"98700-00088", "IN", "919870000088"},
		{"9870000088", "IN", "919870000088"},
		{"919870000088", "IN", "919870000088"},
		{"919870000088", "", "919870000088"},
		{"+91 (0) 98700 00088", "IN", "919870000088"},
		{"+91-98700–00088", "IN", "919870000088"},
		{"९८७०० ०००८८", "IN", "919870000088"},
		{"\u202a+91 98700 00088\u202c", "IN", "919870000088"}, // as it is copied from a phone's contacts
		{"+41 79 123 45 67", "IN", "41791234567"},
		{"41791234567", "IN", "41791234567"},
		{"079 123 45 67", "CH", "41791234567"},
		{"0041791234567", "CH", "41791234567"},
		{"(415) 555-0100", "US", "14155550100"},
		{"1 415 555 0100", "US", "14155550100"},
		{"011 91 98700 00088", "US", "919870000088"},
		{"8 916 123-45-67", "RU", "79161234567"},
		{"06 30 123 4567", "HU", "36301234567"},
		{"+39 06 1234 5678", "", "390612345678"}, // Italy keeps the zero
		{"11 91234-5678", "BR", "5511912345678"},
		{"+55 (11) 91234-5678", "", "5511912345678"},
		{"0171 1234567", "DE", "491711234567"},

		{"98700 00088", "", "9870000088"}, // without a country nothing is added
		{"098700 00088", "", ""},
		{"", "IN", ""},
		{"+", "IN", ""},
		{"12345", "IN", ""},
		{"9198700000881234", "IN", ""},
		{"Asha.919870000088", "IN", ""},
		{"919870000088~1", "IN", ""},
		{"91+9870000088", "IN", ""},
		{"9870000088x12", "IN", ""},
		{"9870000088#12", "IN", ""},
		{"+0 98700 00088", "IN", ""},
	} {
		got, err := Parse(c.text, c.country)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Parse(%q, %q) = %q, %v, want %q", c.text, c.country, got, err, c.want)
		}
	}
}

// The international form of a number means the same in every country.
func TestAnInternationalNumberMeansTheSameEverywhere(t *testing.T) {
	for _, p := range plans {
		for _, country := range strings.Fields(p.countries) {
			for _, text := range []string{"+91 98700 00088", "0091 98700 00088"} {
				if got, err := Parse(text, country); got != "919870000088" || err != nil {
					t.Errorf("Parse(%q, %q) = %q, %v", text, country, got, err)
				}
			}
		}
	}
}

// Parse reads its own result again, in every country.
func TestParseReadsItsOwnResult(t *testing.T) {
	same := func(text string, n uint8) bool {
		p := plans[int(n)%len(plans)]
		country := strings.Fields(p.countries)[0]
		digits, err := Parse(text, country)
		if err != nil {
			return true
		}
		again, err := Parse("+"+digits, country)
		return err == nil && again == digits
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("+91 98700 00088", "IN")
	f.Add("०९८७०", "IN")
	f.Add("(0)", "US")
	f.Fuzz(func(t *testing.T, text, country string) {
		digits, err := Parse(text, country)
		if err == nil &&
			(len(digits) < minDigits || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" ||
				digits[0] == '0') {
			t.Errorf("Parse(%q, %q) = %q", text, country, digits)
		}
	})
}

func TestCountryOf(t *testing.T) {
	for digits, want := range map[string]string{
		"919870000088": "IN", "41791234567": "CH", "14155550100": "AG", "79161234567": "KZ", "": "", "999": ""} {
		if got := CountryOf(digits); got != want {
			t.Errorf("CountryOf(%q) = %q, want %q", digits, got, want)
		}
	}
}
