package assistant

import (
	"regexp"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// addresses are links and addresses of email, as people write them.
var addresses = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*://|www\.)\S+|[^\s<>()]+@[^\s<>()]+|` +
	`\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/\S*)?`)

// listed are the numbers of a list's rows.
var listed = regexp.MustCompile(`(?m)^\s*\d{1,2}[.)]\s`)

// commitments are words by which a company binds itself, a list of words for the same each.
var commitments = []*language.List{
	language.NewList("free gratis complimentary muft mufat मुफ़्त मुफ्त फ्री"),
	language.NewList("refund refunded reimburse रिफंड रिफ़ंड"),
	language.NewList("discount discounted cashback coupon chhoot छूट डिस्काउंट कैशबैक कूपन"),
	language.NewList("guarantee guaranteed promise promised warranty guarantee गारंटी वादा वारंटी"),
	language.NewList("approved sanctioned manzoor manjur swikrit मंज़ूर मंजूर स्वीकृत"),
	language.NewList("won winner prize lottery reward gift inaam इनाम लॉटरी उपहार"),
	language.NewList("waive waived maaf माफ़ माफ"),
	language.NewList("password otp pin cvv पासवर्ड ओटीपी पिन"),
}

// commits reports whether a reply binds the company to something of which a text does not speak.
func commits(reply, text string) bool {
	said, allowed := language.Words(reply), language.Words(text)
	return slices.ContainsFunc(commitments, func(of *language.List) bool { return of.Any(said) && !of.Any(allowed) })
}

// copied is how many words in a row a reply may not take from what it must not tell.
const copied = 8

// leaks reports whether a reply repeats a part of a text.
func leaks(reply, text string) bool {
	said := strings.Join(strings.Fields(strings.ToLower(reply)), " ")
	words := strings.Fields(strings.ToLower(text))
	for i := 0; i+copied <= len(words); i++ {
		if strings.Contains(said, strings.Join(words[i:i+copied], " ")) {
			return true
		}
	}
	return false
}

// grounded reports whether a text says every link, address and figure of a reply.
func grounded(reply, text string) bool {
	text = strings.ToLower(text)
	for _, address := range addresses.FindAllString(strings.ToLower(reply), -1) {
		if !strings.Contains(text, strings.TrimRight(address, ".,;:!?)\"'")) {
			return false
		}
	}
	figures := numbersIn(text)
	for i, number := range figures {
		figures[i] = figure(number)
	}
	for _, number := range numbersIn(listed.ReplaceAllString(reply, "")) {
		if number = figure(number); number != "" && !slices.Contains(figures, number) {
			return false
		}
	}
	return true
}

// figure returns a number in the form by which figures are compared: without a sign, which may be a hyphen, and without
// zeros that change nothing. The minutes of a full hour are none.
func figure(number string) string {
	number = strings.TrimLeft(number, "-0")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number
}
