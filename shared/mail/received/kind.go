package received

import (
	"bufio"
	"net/textproto"
	"slices"
	"strings"

	"github.com/emersion/go-message"

	"github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mailaddress"
)

// Kind says who has written an email. Only a person's is answered.
type Kind string

const (
	FromPerson Kind = "person"
	Automatic  Kind = "automatic" // out of office, and other answers of machines
	Bounce     Kind = "bounce"    // a report on a message that did not arrive, or not yet
	Complaint  Kind = "complaint" // a report that the recipient calls a message spam
	FromList   Kind = "list"      // a mailing list, or advertising
	Loop       Kind = "loop"      // our own, or passed on too often
)

// maxHops is how many servers an email passes at most.
const maxHops = 50

// kindOf returns who has written an email, by its header. Its text does not count.
func kindOf(h message.Header, e Email, own []string) Kind {
	kind, params, _ := h.ContentType()
	report := strings.ToLower(params["report-type"])
	from, _, _ := strings.Cut(e.From.Address, "@")
	returns := strings.TrimSpace(h.Get("Return-Path"))
	submitted, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted"))), ";")
	precedence := strings.ToLower(strings.TrimSpace(h.Get("Precedence")))
	switch {
	case kind == "multipart/report" && report == "feedback-report":
		return Complaint
	case kind == "multipart/report" && report == "delivery-status", len(e.Reports) > 0 && returns == "<>",
		h.Has("X-Failed-Recipients"), slices.Contains([]string{"mailer-daemon", "postmaster"}, from):
		return Bounce
	case slices.Contains(own, e.From.Address), slices.ContainsFunc(h.Values("X-Loop"), func(loop string) bool {
		address, _ := mailaddress.Parse(loop)
		return address != "" && slices.Contains(own, address)
	}), len(h.Values("Received")) > maxHops:
		return Loop
	case h.Has("List-Id"), h.Has("List-Post"), precedence == "list", precedence == "bulk", precedence == "junk",
		h.Has("List-Unsubscribe"), h.Has("Feedback-Id"):
		return FromList
	case submitted != "" && submitted != "no", returns == "<>", precedence == "auto_reply",
		slices.ContainsFunc(automatic, h.Has), slices.ContainsFunc(senders, func(s string) bool { return from == s }),
		slices.ContainsFunc(subjects, func(s string) bool { return strings.HasPrefix(strings.ToLower(e.Subject), s) }):
		return Automatic
	}
	return FromPerson
}

// automatic are fields that only machines write.
var automatic = []string{
	"X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Response-Suppress", "X-Mail-Autoreply", "X-Vacation"}

// senders are names of addresses behind which nobody reads.
var senders = []string{"no-reply", "noreply", "do-not-reply", "donotreply", "no.reply", "bounce", "bounces"}

// subjects begin the answers of machines that have no field for it.
var subjects = []string{
	"automatic reply:", "auto reply:", "auto-reply:", "autoreply:", "out of office:", "out of the office:", "auto:",
	"स्वचालित उत्तर", "स्वतः उत्तर", "कार्यालय से बाहर"}

// Report is what a server says of a message of ours.
type Report struct {
	Recipient string // "" if it does not say
	Status    string // such as 5.1.1; "" if it does not say
	Permanent bool   // the address does not work; else it may later
	Spam      bool   // the recipient calls the message spam
	Original  string // the Message-ID of our message, without brackets; "" if it does not say
}

// maxReports bounds the recipients of one report.
const maxReports = 100

// reportsOf reads the fields of a report (RFC 3464, RFC 5965), a block for each recipient.
func reportsOf(text string) []Report {
	var all []Report
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		fields, _ := textproto.NewReader(bufio.NewReader(strings.NewReader(block + "\n\n"))).ReadMIMEHeader()
		recipient := fields.Get("Final-Recipient")
		if recipient == "" {
			recipient = fields.Get("Original-Recipient")
		}
		if _, of, typed := strings.Cut(recipient, ";"); typed {
			recipient = of
		}
		spam := fields.Get("Feedback-Type") != ""
		if spam {
			recipient = fields.Get("Original-Rcpt-To")
		}
		if recipient == "" && !spam || len(all) == maxReports {
			continue
		}
		address, _ := mailaddress.Parse(between(strings.TrimSpace(recipient)))
		status := mailStatus(fields.Get("Status"))
		all = append(all, Report{
			Recipient: address, Status: status, Spam: spam,
			Permanent: strings.HasPrefix(status, "5") ||
				strings.EqualFold(fields.Get("Action"), "failed") && status == "",
		})
	}
	return all
}

// mailStatus returns a status of RFC 3463; "" for another text.
func mailStatus(text string) string {
	status := firstField(text)
	if len(status) > len("5.123.123") || strings.Count(status, ".") != 2 || strings.Trim(status, "0123456789.") != "" {
		return ""
	}
	return status
}

// idIn returns the Message-ID in the header of a message.
func idIn(text string) string {
	head, _, _ := strings.Cut(text, "\n\n")
	fields, _ := textproto.NewReader(bufio.NewReader(strings.NewReader(head + "\n\n"))).ReadMIMEHeader()
	return mail.ID(fields.Get("Message-Id"))
}
