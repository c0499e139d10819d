package notices_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/mail/notices"
)

// received is a notice as SES documents it, without what is not read.
const received = `{"notificationType":"Received","mail":{"timestamp":"2026-11-24T10:00:00.000Z",
	"source":"asha@example.com","messageId":"o3vrnil0e2ic28tr","destination":["jobs@haat.example"],
	"headersTruncated":false,"commonHeaders":{"subject":"Re: Start"}},
	"receipt":{"timestamp":"2026-11-24T10:00:01.000Z","processingTimeMillis":222,"recipients":["Jobs@haat.example"],
	"spamVerdict":{"status":"PASS"},"virusVerdict":{"status":"PASS"},"spfVerdict":{"status":"FAIL"},
	"dkimVerdict":{"status":"GRAY"},"dmarcVerdict":{"status":"FAIL"},"dmarcPolicy":"reject",
	"action":{"type":"S3","topicArn":"arn:aws:sns:ap-south-1:1:mail","bucketName":"mail","objectKey":"in/o3vrnil0e2ic28tr"}}}`

func TestNoticesAreRead(t *testing.T) {
	second := time.Date(2026, 11, 24, 10, 0, 1, 0, time.UTC)
	sent := `"mail":{"timestamp":"2026-11-24T10:00:00Z","messageId":"0109","tags":{"event":["5e9-7"],"ses:operation":["x"]}}`
	for name, c := range map[string]struct {
		message string
		want    notices.Notice
	}{
		"received": {received, notices.Notice{Kind: notices.Received, At: second, ID: "o3vrnil0e2ic28tr",
			To: []string{"jobs@haat.example"}, Bucket: "mail", Key: "in/o3vrnil0e2ic28tr", Forged: true}},
		"bounced for good": {`{"eventType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"General",
			"bouncedRecipients":[{"emailAddress":"Asha@example.com","action":"failed","status":"5.1.1"}],
			"timestamp":"2026-11-24T10:00:01Z","feedbackId":"f"},` + sent + `}`,
			notices.Notice{Kind: notices.Bounced, At: second, ID: "0109", Event: "5e9-7",
				Recipients: []string{"asha@example.com"}, Permanent: true}},
		"a full mailbox, by the older notice": {`{"notificationType":"Bounce","bounce":{"bounceType":"Transient",
			"bouncedRecipients":[{"emailAddress":"asha@example.com"}],"timestamp":"2026-11-24T10:00:01Z"},` + sent + `}`,
			notices.Notice{Kind: notices.Bounced, At: second, ID: "0109", Event: "5e9-7",
				Recipients: []string{"asha@example.com"}}},
		"a complaint": {`{"eventType":"Complaint","complaint":{"complainedRecipients":[{"emailAddress":"asha@example.com"}],
			"timestamp":"2026-11-24T10:00:01Z","complaintFeedbackType":"abuse"},` + sent + `}`,
			notices.Notice{Kind: notices.Complained, At: second, ID: "0109", Event: "5e9-7",
				Recipients: []string{"asha@example.com"}}},
		"delivered": {`{"eventType":"Delivery","delivery":{"timestamp":"2026-11-24T10:00:01Z",
			"recipients":["asha@example.com"]},` + sent + `}`, notices.Notice{Kind: notices.Delivered, At: second, ID: "0109",
			Event: "5e9-7", Recipients: []string{"asha@example.com"}}},
		"a kind of next year": {`{"eventType":"Read","read":{},` + sent + `}`, notices.Notice{Kind: notices.Other,
			At: second.Add(-time.Second), ID: "0109", Event: "5e9-7"}},
	} {
		have, err := notices.Read([]byte(c.message))
		if diff := cmp.Diff(c.want, have); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// A sender is believed if DMARC says so, or does not know and SPF or DKIM speaks for them.
func TestWhoIsBelieved(t *testing.T) {
	for verdicts, forged := range map[[3]string]bool{ // of DMARC, SPF and DKIM
		{"PASS", "FAIL", "PASS"}: false, {"FAIL", "PASS", "PASS"}: true, {"GRAY", "PASS", "GRAY"}: false,
		{"GRAY", "FAIL", "PASS"}: false, {"GRAY", "GRAY", "GRAY"}: true, {"GRAY", "FAIL", "FAIL"}: true,
		{"PROCESSING_FAILED", "PROCESSING_FAILED", "PROCESSING_FAILED"}: true, {"", "", ""}: true,
	} {
		message := strings.NewReplacer(
			`"dmarcVerdict":{"status":"FAIL"}`, `"dmarcVerdict":{"status":"`+verdicts[0]+`"}`,
			`"spfVerdict":{"status":"FAIL"}`, `"spfVerdict":{"status":"`+verdicts[1]+`"}`,
			`"dkimVerdict":{"status":"GRAY"}`, `"dkimVerdict":{"status":"`+verdicts[2]+`"}`).Replace(received)
		if n, err := notices.Read([]byte(message)); err != nil || n.Forged != forged {
			t.Errorf("%v: %v, %v", verdicts, n.Forged, err)
		}
	}
}

func TestWhatIsNoNoticeIsRefused(t *testing.T) {
	for _, message := range []string{
		"", "{}", "[]", "Successfully validated SNS topic for Amazon SES event publishing.",
		`{"notificationType":"Received","mail":{"messageId":"x"},"receipt":{"action":{"type":"SNS"}}}`,
		`{"eventType":"Bounce","mail":{}}`,
	} {
		if _, err := notices.Read([]byte(message)); !errors.Is(err, notices.ErrUnreadable) {
			t.Errorf("%q: %v", message, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(received))
	f.Fuzz(func(t *testing.T, message []byte) {
		if n, err := notices.Read(message); err == nil && (n.ID == "" || n.Kind == notices.Received && n.Key == "") {
			t.Errorf("%+v", n)
		}
	})
}

// An email that has come in lies in the bucket.
func ExampleRead() {
	n, err := notices.Read([]byte(received))
	fmt.Println(n.Kind, n.Bucket, n.Key, err)
	// Output: received mail in/o3vrnil0e2ic28tr <nil>
}
