package chat

import (
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
)

// Command is an entry that the owner of a shop writes in the chat: +500 98765 43210 rice.
type Command struct {
	Sale   bool // a credit sale; else a payment
	Amount model.Amount
	words  []string // after the amount: the customer's number, and a note
}

// ParseCommand returns the entry that a text asks for, and reports whether it is one. It begins with + or -, and with
// an amount.
func ParseCommand(text string) (c Command, ok bool) {
	text = latinDigits(strings.TrimSpace(text))
	switch {
	case strings.HasPrefix(text, "+"):
		c.Sale = true
		text = text[1:]
	case strings.HasPrefix(text, "-"), strings.HasPrefix(text, "−"), strings.HasPrefix(text, "–"):
		_, text, _ = strings.Cut(text, text[:len(string([]rune(text)[0]))])
	default:
		return c, false
	}
	words := strings.Fields(text)
	if len(words) > 0 && isCurrency(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return c, false
	}
	if c.Amount, ok = amountOf(words[0]); !ok || len(words[0]) >= localDigits {
		return c, false // a number alone is a phone number
	}
	c.words = words[1:]
	return c, true
}

// ParseCommands returns the entries that a text asks for, one a line, and reports whether it is nothing else.
func ParseCommands(text string) (all []Command, ok bool) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		c, is := ParseCommand(line)
		if !is || len(all) == maxEntries {
			return nil, false
		}
		all = append(all, c)
	}
	return all, len(all) > 0
}

// Customer returns the phone number with which the words after the amount begin, as it was typed, and the words after
// it; "" if they begin with none. country is the country whose national forms are understood.
func (c Command) Customer(country string) (number, note string) {
	rest := 0
	for i := range c.words {
		text := strings.Join(c.words[:i+1], " ")
		digits, err := phonenumber.Parse(text, country)
		if err != nil && strings.Trim(c.words[i], "+-()0123456789") != "" {
			break
		}
		if err != nil {
			continue
		}
		if number, rest = text, i+1; phonenumber.Complete(digits) {
			break
		}
	}
	return number, strings.Join(c.words[rest:], " ")
}

// localDigits is how many digits a mobile number has without its country code, in India and many other countries.
const localDigits = 10

// Claim is what a customer says that they have paid.
type Claim struct {
	Amount    model.Amount
	Reference string // of a UPI payment; "" for none
}

// ParseClaim returns what a text says was paid, and reports whether it says so and nothing else: "paid 500", "500 bhej
// diye gpay se", "₹500 दे दिए". A question, a promise or an order is none.
func ParseClaim(text string) (c Claim, ok bool) {
	if strings.ContainsAny(text, "?？") || len(text) > maxClaim {
		return c, false
	}
	said, past, asked, done, way, amounts := false, false, false, false, false, 0
	words := strings.FieldsFunc(latinDigits(strings.ToLower(picture.Get().ReplaceAllString(text, " "))),
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("!।;:()\"'", r) })
	for i := range words {
		words[i] = strings.Trim(words[i], ",.-")
	}
	words = withSums(words)
	before := ""
	for _, word := range words {
		amount, isAmount := amountOf(word)
		done, way = done || word == "done", way || methods.Has(word) || word == "payment"
		past = past || pastWords.Has(word)
		switch {
		case creditWords.Has(before) && giveWords.Has(word):
			return c, false // goods on credit were given
		case paidWords.Has(word):
			said = said || !auxiliary.Has(before)
		case word == "" || word == "done" || isCurrency(word) || fillers.Has(word):
		case word == "do" || word == "दो":
			asked = true
		case len(word) == referenceDigits && strings.Trim(word, "0123456789") == "":
			c.Reference = word
		case isAmount && (len(word) >= localDigits || referenceWords.Has(before)): // a number that names something
		case isAmount:
			amounts++
			c.Amount = amount
		default:
			return c, false
		}
		before = word
	}
	said = said || way && (past || done) // 500 gpay kiya; 500 gpay done
	happened := past || done
	return c, said && happened && (!asked || past && strings.Contains(text, "jama")) && amounts == 1 &&
		c.Amount.IsPositive()
}

const (
	// maxClaim bounds the texts that are looked at.
	maxClaim = 200
	// referenceDigits is how many digits the reference of a UPI payment has.
	referenceDigits = 12
)

// amountOf returns an amount as people write it: 500, 1,250.50, rs500, ₹500, 500/-, 500rs.
func amountOf(word string) (model.Amount, bool) {
	for _, mark := range []string{"₹", "rs.", "rs", "inr"} {
		word = strings.TrimPrefix(word, mark)
	}
	for _, mark := range []string{"/-", "/", "rs", "₹"} {
		word = strings.TrimSuffix(word, mark)
	}
	word = strings.ReplaceAll(word, ",", "")
	if word == "" || strings.Trim(word, "0123456789.") != "" || strings.Count(word, ".") > 1 || len(word) > 20 {
		return model.Amount{}, false
	}
	value, err := decimal.NewFromString(word)
	return model.Amount{Decimal: value}, err == nil
}

func isCurrency(word string) bool {
	switch strings.TrimSuffix(word, ".") {
	case "rs", "₹", "rupees", "rupee", "rupaye", "rupay", "rupaiye", "rupya", "rupaya", "inr", "रुपये", "रुपए", "रुपया",
		"रु":
		return true
	}
	return false
}

// latinDigits returns a text with the digits of other scripts as Latin ones.
func latinDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '०' && r <= '९' {
			return '0' + r - '०'
		}
		return r
	}, text)
}
