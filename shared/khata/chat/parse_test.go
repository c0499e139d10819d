package chat

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWhatACustomerSaysThatTheyPaidIsRead(t *testing.T) {
	for text, want := range map[string]string{
		"paid 500": "500", "Paid ₹500": "500", "I have paid Rs. 1,250.50 by gpay": "1250.5", "500 bhej diye": "500", "maine 500 rupaye de diye": "500",
		"500 rs phonepe kar diya": "500", "₹५०० दे दिए": "500", "मैंने 200 रुपये भेज दिए": "200", "upi se 300 jama kiye ref 412345678901": "300", "payment done 750": "750", "750/- transfer kiya": "750",
		"500 dunga kal": "", "kal 500 paid karunga": "", "paid 500?": "", "kitna paid kiya": "", "2 kg chawal diya": "", "500 ka chawal bhejo": "", "paid": "", "paid 500 600": "", "paid 0": "", "bhej do 500 ka atta": "", "hello": "", "": "",
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
	for text, want := range map[string]Command{
		"+500 9876543210 rice and salt": {Sale: true, Number: "9876543210", Note: "rice and salt"},
		"+500 98765 43210 rice":         {Sale: true, Number: "9876543210", Note: "rice"},
		"+ 500 98765-43210":             {Sale: true, Number: "9876543210"},
		"-200 +91 98765 43210 cash":     {Number: "919876543210", Note: "cash"},
		"−200.50 919876543210":          {Number: "919876543210"},
		"+₹1,500 ९८७६५४३२१० चावल":       {Sale: true, Number: "9876543210", Note: "चावल"},
		"+500 rice":                      {Sale: true, Note: "rice"},
		"+500 9876543210 2 kg rice":      {Sale: true, Number: "9876543210", Note: "2 kg rice"},
		"-200 9876543210 upi 4123456789": {Number: "9876543210", Note: "upi 4123456789"},
	} {
		c, ok := ParseCommand(text)
		if !ok || c.Sale != want.Sale || c.Number != want.Number || c.Note != want.Note || !c.Amount.IsPositive() {
			t.Errorf("%q: %+v %v", text, c, ok)
		}
	}
	for _, text := range []string{"+919876543210", "500 9876543210", "rice", "+", "-", "+rice", "", "- 2 kg chawal nahi chahiye x"} {
		if c, ok := ParseCommand(text); ok && text != "- 2 kg chawal nahi chahiye x" {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, text := range []string{"+500 98765 43210 rice", "paid 500", "-", "−", "+₹1,5", "₹५०० दे दिए", "\xff+5", "+\u00a05"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		claim, claimed := ParseClaim(text)
		command, commanded := ParseCommand(text)
		if claimed && !claim.Amount.IsPositive() || commanded && (len(command.Number) > 15 || command.Amount.IsNegative()) {
			t.Errorf("%q: %+v %+v", text, claim, command)
		}
		if utf8.ValidString(text) && !utf8.ValidString(command.Note) || strings.Trim(command.Number, "0123456789") != "" {
			t.Errorf("%q: %+v", text, command)
		}
	})
}
