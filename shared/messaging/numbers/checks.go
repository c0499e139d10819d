package numbers

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// What Meta takes.
const (
	maxAbout       = 139
	maxAddress     = 256
	maxDescription = 512
	maxEmail       = 128
	maxWebsites    = 2
	maxWebsite     = 256
	maxPrompts     = 4
	maxPrompt      = 80
	maxCommands    = 30
	maxCommand     = 32
	maxCommandText = 256
	maxSpans       = 2 // of one day of the week
	maxHolidays    = 20
	maxPrefilled   = 140
)

// Meta's words.
var (
	onOff = []string{"ENABLED", "DISABLED"}
	days  = []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}
)

// verticals are the kinds of businesses that Meta knows.
var verticals = []string{
	"ALCOHOL", "APPAREL", "AUTO", "BEAUTY", "EDU", "ENTERTAIN", "EVENT_PLAN", "FINANCE", "GOVT", "GROCERY", "HEALTH",
	"HOTEL", "MATRIMONY_SERVICE", "NONPROFIT", "ONLINE_GAMBLING", "OTC_DRUGS", "OTHER", "PHYSICAL_GAMBLING",
	"PROF_SERVICES", "RESTAURANT", "RETAIL", "TRAVEL",
}

// faults are what is wrong with what is wanted: every fault, so that one answer names them all.
type faults []problem.Field

// add adds a fault unless something is right.
func (f *faults) add(right bool, path, detail string, values ...any) {
	if !right {
		*f = append(*f, problem.Field{Path: path, Detail: fmt.Sprintf(detail, values...)})
	}
}

// text adds a fault unless a text has as many characters as may be.
func (f *faults) text(path, text string, least, most int) {
	n := utf8.RuneCountInString(text)
	f.add(n >= least && n <= most, path, "must have %d to %d characters, not %d", least, most, n)
}

// word adds a fault unless a text is one of Meta's words.
func (f *faults) word(path, text string, words ...string) {
	f.add(slices.Contains(words, text), path, "must be one of %s", strings.Join(words, ", "))
}

// plain adds a fault unless a text is without emoji.
func (f *faults) plain(path, text string) {
	f.add(!strings.ContainsFunc(text, isEmoji), path, "must not have emoji")
}

// isEmoji reports whether a character is an emoji, or changes how one looks.
func isEmoji(r rune) bool {
	const joiner, variation, firstPicture = 0x200D, 0xFE0F, 0x1F000
	return r == joiner || r == variation || r >= firstPicture || unicode.Is(unicode.So, r)
}

func checkProfile(wanted model.Document) []problem.Field {
	var p Profile
	var f faults
	f.add(json.Unmarshal(wanted, &p) == nil, "", "must be a profile")
	f.text("about", p.About, 1, maxAbout)
	f.text("address", p.Address, 0, maxAddress)
	f.text("description", p.Description, 0, maxDescription)
	f.text("email", p.Email, 0, maxEmail)
	if p.Email != "" {
		_, err := mailaddress.Parse(p.Email)
		f.add(err == nil, "email", "must be an email address")
	}
	f.add(len(p.Websites) <= maxWebsites, "websites", "must be at most %d, not %d", maxWebsites, len(p.Websites))
	for i, site := range p.Websites {
		path := fmt.Sprintf("websites[%d]", i)
		f.text(path, site, 1, maxWebsite)
		address, err := url.Parse(site)
		f.add(err == nil && address.Host != "" && (address.Scheme == "https" || address.Scheme == "http"), path,
			"must be an address that begins with https:// or http://")
	}
	if p.Vertical != "" {
		f.word("vertical", p.Vertical, verticals...)
	}
	return f
}

func checkComponents(wanted model.Document) []problem.Field {
	var c Components
	var f faults
	f.add(json.Unmarshal(wanted, &c) == nil, "", "must be conversational components")
	f.add(len(c.Prompts) <= maxPrompts, "prompts", "must be at most %d, not %d", maxPrompts, len(c.Prompts))
	for i, prompt := range c.Prompts {
		path := fmt.Sprintf("prompts[%d]", i)
		f.text(path, prompt, 1, maxPrompt)
		f.plain(path, prompt)
	}
	f.add(len(c.Commands) <= maxCommands, "commands", "must be at most %d, not %d", maxCommands, len(c.Commands))
	seen := map[string]bool{}
	for i, command := range c.Commands {
		path := fmt.Sprintf("commands[%d].commandName", i)
		f.text(path, command.Name, 1, maxCommand)
		f.plain(path, command.Name)
		f.add(!strings.HasPrefix(command.Name, "/"), path, "must be without the slash")
		f.add(!seen[command.Name], path, "must differ from the other names")
		seen[command.Name] = true
		path = fmt.Sprintf("commands[%d].commandDescription", i)
		f.text(path, command.Description, 1, maxCommandText)
		f.plain(path, command.Description)
	}
	return f
}

func checkCalling(wanted model.Document) []problem.Field {
	var c Calling
	var f faults
	f.add(json.Unmarshal(wanted, &c) == nil, "", "must be calling settings")
	f.word("status", c.Status, onOff...)
	if c.IconVisibility != "" {
		f.word("callIconVisibility", c.IconVisibility, "DEFAULT", "DISABLE_ALL")
	}
	if c.Callback != "" {
		f.word("callbackPermissionStatus", c.Callback, onOff...)
	}
	if c.Icons != nil {
		for i, country := range c.Icons.Countries {
			f.add(len(country) == 2 && strings.Trim(country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "",
				fmt.Sprintf("callIcons.restrictToUserCountries[%d]", i), "must be two capital letters")
		}
	}
	if c.Hours != nil {
		c.Hours.check(&f)
	}
	if c.SIP != nil {
		c.SIP.check(&f)
	}
	return f
}

// hostForm is the form of the name of a server: words of letters, digits and hyphens with dots between them.
var hostForm = lazy.Regexp(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$`)

func (s SIP) check(f *faults) {
	f.word("sip.status", s.Status, onOff...)
	f.add(s.Status != "ENABLED" || len(s.Servers) > 0, "sip.servers", "must have a server while it is ENABLED")
	for i, server := range s.Servers {
		path := fmt.Sprintf("sip.servers[%d]", i)
		f.add(len(server.Host) <= 253 && hostForm.Get().MatchString(server.Host), path+".hostname",
			"must be the name of a server, such as sip.shop.example")
		f.add(server.Port >= 1 && server.Port <= 65535, path+".port", "must be 1 to 65535")
		server.checkUserParams(f, path+"."+ownNames)
	}
}

// The forms of a parameter of the user part of a request URI, by RFC 3261. A semicolon separates two of them, and an
// equals sign a name from its value. Meta documents no limits; these keep the URI short.
var (
	paramNameForm  = lazy.Regexp(`^[A-Za-z0-9_.!~*'()&+$,?/%-]{1,100}$`)
	paramValueForm = lazy.Regexp(`^[A-Za-z0-9_.!~*'()&+$,?/%-]{1,300}$`)
)

const maxUserParams = 10

func (s SIPServer) checkUserParams(f *faults, path string) {
	f.add(len(s.UserParams) <= maxUserParams, path, "must have at most %d names", maxUserParams)
	for _, name := range slices.Sorted(maps.Keys(s.UserParams)) {
		f.add(paramNameForm.Get().MatchString(name), path,
			"must have names that a SIP URI can hold: 1 to 100 letters, digits and signs, without spaces, ; and =")
		f.add(paramValueForm.Get().MatchString(s.UserParams[name]), path,
			"must have values that a SIP URI can hold: 1 to 300 letters, digits and signs, without spaces, ; and =")
	}
}

func (h CallHours) check(f *faults) {
	f.word("callHours.status", h.Status, onOff...)
	_, err := time.LoadLocation(h.TimeZone)
	f.add(h.TimeZone != "" && h.TimeZone != "Local" && err == nil, "callHours.timezoneId", "must be a time zone")
	ofDay := map[string][]OpenHours{}
	for i, span := range h.Weekly {
		path := fmt.Sprintf("callHours.weeklyOperatingHours[%d]", i)
		f.word(path+".dayOfWeek", span.Day, days...)
		f.span(path, span.Open, span.Close)
		for _, other := range ofDay[span.Day] {
			f.add(span.Close <= other.Open || other.Close <= span.Open, path, "must not overlap with another span")
		}
		ofDay[span.Day] = append(ofDay[span.Day], span)
		f.add(len(ofDay[span.Day]) <= maxSpans, path, "must be one of at most %d spans of a day", maxSpans)
	}
	f.add(len(h.Holidays) <= maxHolidays, "callHours.holidaySchedule", "must be at most %d, not %d", maxHolidays,
		len(h.Holidays))
	for i, day := range h.Holidays {
		path := fmt.Sprintf("callHours.holidaySchedule[%d]", i)
		_, err := time.Parse(time.DateOnly, day.Date)
		f.add(err == nil, path+".date", "must be a day, as yyyy-mm-dd")
		f.span(path, day.Start, day.End)
	}
}

// span adds faults unless two times of a day are right.
func (f *faults) span(path, from, to string) {
	_, wrongFrom := time.Parse("1504", from)
	_, wrongTo := time.Parse("1504", to)
	f.add(wrongFrom == nil && wrongTo == nil && len(from) == 4 && len(to) == 4, path, "must have times as HHMM")
	f.add(from < to, path, "must end after it begins")
}

func checkCommerce(wanted model.Document) []problem.Field {
	var c Commerce
	var f faults
	f.add(json.Unmarshal(wanted, &c) == nil, "", "must be commerce settings")
	return f
}

func checkQRCode(wanted model.Document) []problem.Field {
	var q QRCode
	var f faults
	f.add(json.Unmarshal(wanted, &q) == nil, "", "must be a code")
	f.text("prefilledMessage", q.Message, 1, maxPrefilled)
	return f
}
