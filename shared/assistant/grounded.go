package assistant

import (
	"regexp"
	"slices"
	"strings"
)

// addresses are links and addresses of email, as people write them.
var addresses = regexp.MustCompile(`(?i)(?:[a-z][a-z0-9+.-]*://|www\.)\S+|[^\s<>()]+@[^\s<>()]+|` +
	`\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/\S*)?`)

// listed are the numbers of a list's rows.
var listed = regexp.MustCompile(`(?m)^\s*\d{1,2}[.)]\s`)

// grounded reports whether a text says every link, address and figure of a reply.
func grounded(reply, text string) bool {
	text = strings.ToLower(text)
	for _, address := range addresses.FindAllString(strings.ToLower(reply), -1) {
		if !strings.Contains(text, strings.TrimRight(address, ".,;:!?)\"'")) {
			return false
		}
	}
	figures := numbersIn(text)
	for _, number := range numbersIn(listed.ReplaceAllString(reply, "")) {
		if !slices.Contains(figures, number) && !slices.Contains(figures, strings.TrimPrefix(number, "-")) {
			return false
		}
	}
	return true
}
