package chat

import (
	"testing"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/phonenumber"
)

func TestWhatACustomerSaysThatTheyPaidIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"paid 500": "500", "Paid ₹500": "500", "I have paid Rs. 1,250.50 by gpay": "1250.5", "500 bhej diye": "500",
		"maine 500 rupaye de diye": "500",
		"500 rs phonepe kar diya":  "500", "₹५०० दे दिए": "500", "मैंने 200 रुपये भेज दिए": "200",
		"upi se 300 jama kiye ref 412345678901": "300", "payment done 750": "750", "750/- transfer kiya": "750",
		"500 dunga kal": "", "kal 500 paid karunga": "", "paid 500?": "", "kitna paid kiya": "", "2 kg chawal diya": "",
		"500 ka chawal bhejo": "", "paid": "", "paid 500 600": "", "paid 0": "", "bhej do 500 ka atta": "", "hello": "",
		"": "",
	} {
		c, ok := ParseClaim(text)
		if got := c.Amount.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s %v", text, got, ok)
		}
	}
	if c, _ := ParseClaim("upi se 300 jama kiye ref 412345678901"); c.Reference != "412345678901" {
		t.Errorf("%+v", c)
	}
}

func TestWhatAnOwnerWritesDownIsRead(t *testing.T) {
	for text, want := range map[string]struct {
		sale         bool
		number, note string // the number with its country code
	}{
		"+500 9876543210 rice and salt": {true, "919876543210", "rice and salt"},
		"+500 98765 43210 rice":         {true, "919876543210", "rice"},
		"+ 500 98765-43210":             {true, "919876543210", ""},
		"-200 +91 98765 43210 cash":     {false, "919876543210", "cash"},
		"-200 +91 98765 432 10 cash":    {false, "919876543210", "cash"},
		"-200 0091 98765 43210 cash":    {false, "919876543210", "cash"},
		"+500 098765 43210 2 kg rice":   {true, "919876543210", "2 kg rice"},
		"+500 (098765) 43210 2 kg":      {true, "919876543210", "2 kg"},
		"+500 +41 79 123 45 67 2 kg":    {true, "41791234567", "2 kg"},
		"−200.50 919876543210":          {false, "919876543210", ""},
		"+₹1,500 ९८७६५४३२१० चावल":       {true, "919876543210", "चावल"},
		"+500 rice":                      {true, "", "rice"},
		"+500 2 kg rice":                 {true, "", "2 kg rice"},
		"+500 9876543210 2 kg rice":      {true, "919876543210", "2 kg rice"},
		"-200 9876543210 upi 4123456789": {false, "919876543210", "upi 4123456789"},
		"+500 Asha.919876543210 rice":    {true, "", "Asha.919876543210 rice"},
		"+500 919876543210~1 rice":       {true, "", "919876543210~1 rice"},
	} {
		c, ok := ParseCommand(text)
		number, note := c.Customer("IN")
		digits, err := phonenumber.Parse(number, "IN")
		if !ok || c.Sale != want.sale || digits != want.number || (err == nil) != (want.number != "") ||
			note != want.note || !c.Amount.IsPositive() {
			t.Errorf("%q: %+v %v: %q %q", text, c, ok, number, note)
		}
	}
	for _, text := range []string{
		"+919876543210", "500 9876543210", "rice", "+", "-", "+rice", "", "- 2 kg chawal nahi chahiye x"} {
		if c, ok := ParseCommand(text); ok && text != "- 2 kg chawal nahi chahiye x" {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		"+500 98765 43210 rice", "paid 500", "-", "−", "+₹1,5", "₹५०० दे दिए", "\xff+5", "+\u00a05",
		"ramesh ko char sau pachas udhaar, geeta 5k jama", "शबनम से डेढ़ सौ मिले", "sabka hisaab", "k sau do"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		claim, claimed := ParseClaim(text)
		command, commanded := ParseCommand(text)
		if claimed && !claim.Amount.IsPositive() || commanded && command.Amount.IsNegative() {
			t.Errorf("%q: %+v %+v", text, claim, command)
		}
		all, _ := ParseSpokens(text)
		spoken, tells := ParseSpoken(text)
		for _, one := range append(all, told{spoken, tells, text}) {
			if one.is && (!one.Amount.IsPositive() || one.Number == "" && shownName(one.Spoken) == "" ||
				one.Notes > len(one.Who)) {
				t.Errorf("%q: %+v", text, one)
			}
		}
		if who, asks := ParseAccount(text); asks && len(who) == 0 {
			t.Errorf("%q asks for nobody's account", text)
		}
		AsksForBook(text)
		number, note := command.Customer("IN")
		if _, err := phonenumber.Parse(number, "IN"); number != "" && err != nil ||
			utf8.ValidString(text) && !utf8.ValidString(note) {
			t.Errorf("%q: %q %q", text, number, note)
		}
	})
}
