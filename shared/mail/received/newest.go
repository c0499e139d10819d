package received

import (
	"regexp"
	"strings"
)

// newest returns what is new in an email: its plain text, or that of its HTML, without history and signature. If only
// history is left, as in a message that was passed on, all of it is new.
func newest(plain, page string) string {
	text := plain
	if strings.TrimSpace(text) == "" {
		text = spaces.ReplaceAllString(textOf(page), " ")
	}
	lines := linesOf(text)
	if fresh := tidy(withoutSignature(withoutHistory(lines))); fresh != "" {
		return fresh
	}
	if strings.TrimSpace(plain) == "" && page != "" || !anyMatch(forwarded, lines) {
		return ""
	}
	return tidy(lines)
}

// spaces are several spaces that show as one.
var spaces = regexp.MustCompile(`[ \x{00a0}]+`)

func linesOf(text string) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(strings.Trim(l, "\u200b\u200c\u200d\u200e\u200f"), " \t")
	}
	return lines
}

// attributions are lines before a history with > in front of its lines: "On 3 May, Asha wrote:", in English and Hindi.
var attributions = regexp.MustCompile(`(?i)^\s*(?:-{2,}\s*)?(?:on\b.{4,300}\bwrote\s*(?::|-{2,})|.{4,300}(?:ने लिखा|को लिखा|लिखा था)\s*:?|` +
	`.{0,200}<[^<>\s]+@[^<>\s]+>.{0,60}(?:wrote|writes|लिखा)\s*:?)\s*$`)

// histories are lines after which everything is history.
var histories = regexp.MustCompile(`(?i)^\s*(?:-{2,}\s*(?:original message|original appointment|forwarded message|` +
	`reply message|मूल संदेश|अग्रेषित संदेश|फ़ॉरवर्ड किया गया संदेश)\s*-{2,}|_{20,}|begin forwarded message:|` +
	`-{5,}\s*reply above this line\s*-{0,})\s*$`)

// forwarded are lines before a message that was passed on.
var forwarded = regexp.MustCompile(`(?i)forwarded message|अग्रेषित|फ़ॉरवर्ड`)

// headers are lines of the header that some programs put before the history.
var (
	headerFrom = regexp.MustCompile(`(?i)^\s*\*?(?:from|प्रेषक|से)\s*:\*?\s*\S`)
	headerRest = regexp.MustCompile(`(?i)^\s*\*?(?:sent|date|to|subject|cc|भेजा गया|भेजने की तारीख|दिनांक|प्राप्तकर्ता|प्रति|विषय)\s*:\*?`)
)

// withoutHistory returns lines without those that earlier messages had. Answers between quoted lines stay.
func withoutHistory(lines []string) []string {
	var fresh []string
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if histories.MatchString(l) || headerFrom.MatchString(l) && hasHeader(lines[i+1:]) {
			return fresh
		}
		if strings.HasPrefix(strings.TrimSpace(l), ">") {
			continue
		}
		if n := attribution(lines[i:]); n > 0 {
			if !quotesNext(lines[i+n:]) {
				return fresh
			}
			i += n - 1
			continue
		}
		fresh = append(fresh, l)
	}
	return fresh
}

// longestAttribution is over how many lines a mail program breaks one.
const longestAttribution = 3

// attribution returns how many lines the attribution takes that begins here; 0 if none does.
func attribution(lines []string) int {
	joined := ""
	for n := 0; n < longestAttribution && n < len(lines) && strings.TrimSpace(lines[n]) != ""; n++ {
		joined = strings.TrimSpace(joined + " " + lines[n])
		if attributions.MatchString(joined) && (n == 0 || !attributions.MatchString(lines[n]) || startsOne(lines[0])) {
			return n + 1
		}
	}
	return 0
}

// startsOne reports whether a line begins an attribution that goes on in the next.
func startsOne(l string) bool {
	l = strings.ToLower(strings.TrimSpace(l))
	return strings.HasPrefix(l, "on ") || strings.ContainsAny(l, "<@")
}

// quotesNext reports whether the next line that says something is quoted.
func quotesNext(lines []string) bool {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			return strings.HasPrefix(l, ">")
		}
	}
	return false
}

// hasHeader reports whether the next lines are those of a header.
func hasHeader(lines []string) bool {
	found := 0
	for _, l := range lines[:min(len(lines), 6)] {
		if headerRest.MatchString(l) {
			found++
		}
	}
	return found >= 2
}

// signatures begin what programs and people put below every message.
var signatures = regexp.MustCompile(`(?i)^\s*(?:--|sent from (?:my|outlook|yahoo|mail|samsung|proton|windows|the all)\b.{0,80}|` +
	`get outlook for (?:ios|android).{0,60}|.{0,40}से भेजा गया\.?।?|मेरे .{1,40} से भेजा(?: गया)?\.?।?|` +
	`sent with proton mail.{0,60}|yahoo mail: .{0,80}|this e-?mail and any (?:files|attachments) .*)\s*$`)

// withoutSignature returns lines up to the signature.
func withoutSignature(lines []string) []string {
	for i, l := range lines {
		if signatures.MatchString(l) {
			return lines[:i]
		}
	}
	return lines
}

func anyMatch(pattern *regexp.Regexp, lines []string) bool {
	for _, l := range lines {
		if pattern.MatchString(l) {
			return true
		}
	}
	return false
}

// tidy returns lines as a text, with at most one empty line between them.
func tidy(lines []string) string {
	var kept []string
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" && (len(kept) == 0 || kept[len(kept)-1] == "") {
			continue
		}
		kept = append(kept, l)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
