package received_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/mail/received"
)

// bounced is a report of a server that knows no such person.
const bounced = `From: MAILER-DAEMON@mx.example.com
To: jobs@haat.example
Return-Path: <>
Auto-Submitted: auto-replied
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: text/plain

The message could not be delivered.
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; asha@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user

Final-Recipient: rfc822; ravi@example.com
Action: delayed
Status: 4.2.2
--x
Content-Type: message/rfc822

From: jobs@haat.example
Message-ID: <c1@haat.example>
Subject: Hello

Hi
--x--
`

func TestABounceNamesWhoWasNotReached(t *testing.T) {
	e := read(t, strings.ReplaceAll(bounced, "\n", "\r\n"))
	want := []received.Report{
		{Recipient: "asha@example.com", Status: "5.1.1", Permanent: true, Original: "c1@haat.example"},
		{Recipient: "ravi@example.com", Status: "4.2.2", Original: "c1@haat.example"},
	}
	if diff := cmp.Diff(want, e.Reports); diff != "" || e.Kind != received.Bounce {
		t.Errorf("%s %s", e.Kind, diff)
	}
}

func TestAComplaintNamesWhoComplains(t *testing.T) {
	e := read(t, of("Content-Type: multipart/report; report-type=feedback-report; boundary=x", `--x
Content-Type: text/plain

This is spam.
--x
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Example/1
Version: 1
Original-Rcpt-To: <asha@example.com>
--x
Content-Type: text/rfc822-headers

Message-ID: <c1@haat.example>
--x--
`))
	want := []received.Report{{Recipient: "asha@example.com", Spam: true, Original: "c1@haat.example"}}
	if diff := cmp.Diff(want, e.Reports); diff != "" || e.Kind != received.Complaint {
		t.Errorf("%s %s", e.Kind, diff)
	}
}

func TestOnlyPeopleAreAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		header string
		want   received.Kind
	}{
		"a person":             {"Subject: Re: Job", received.FromPerson},
		"a person of Exchange": {"Auto-Submitted: no", received.FromPerson},
		"out of office":        {"Auto-Submitted: auto-replied; x=y", received.Automatic},
		"made by a machine":    {"Auto-Submitted: auto-generated", received.Automatic},
		"Exchange is away":     {"X-Auto-Response-Suppress: All\nSubject: Automatic reply: Job", received.Automatic},
		"a subject alone":      {"Subject: Automatic reply: Job", received.Automatic},
		"an encoded subject": {"Subject: " +
			"=?utf-8?B?" + "4KS44KWN4KS14KSa4KS+4KSy4KS/4KSkIOCkieCkpOCljeCkpOCksA==?=", received.Automatic},
		"an old responder":    {"Precedence: auto_reply", received.Automatic},
		"no way back":         {"Return-Path: <>", received.Automatic},
		"a mailing list":      {"List-Id: <jobs.example.com>", received.FromList},
		"bulk":                {"Precedence: bulk", received.FromList},
		"advertising":         {"List-Unsubscribe: <https://example.com>", received.FromList},
		"our own loop":        {"X-Loop: jobs@haat.example", received.Loop},
		"passed on too often": {strings.Repeat("Received: from a by b; x\n", 60), received.Loop},
		"a failed recipient":  {"X-Failed-Recipients: asha@example.com", received.Bounce},
	} {
		if e := read(t, of(c.header, "hello")); e.Kind != c.want {
			t.Errorf("%s: %s", name, e.Kind)
		}
	}
	for from, want := range map[string]received.Kind{
		"jobs@haat.example": received.Loop, "Mailer-Daemon@example.com": received.Bounce,
		"no-reply@example.com": received.Automatic, "asha@example.com": received.FromPerson,
	} {
		if e := read(t, "From: "+from+"\r\n\r\nhi"); e.Kind != want {
			t.Errorf("from %s: %s", from, e.Kind)
		}
	}
}
