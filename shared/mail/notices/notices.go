// Package notices reads what Amazon SES tells of email by SNS: that one has come in, and what became of one that was
// sent.
package notices

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/mailaddress"
)

// Kind is what a notice tells.
type Kind string

const (
	Received   Kind = "received"   // an email has come in, and lies in the bucket
	Bounced    Kind = "bounced"    // it did not arrive
	Complained Kind = "complained" // its recipient calls it spam
	Delivered  Kind = "delivered"  // the recipient's server has taken it
	Rejected   Kind = "rejected"   // SES has found a virus in it
	Other      Kind = "other"      // opened, clicked, delayed and whatever else there will be
)

// Notice is what SES tells.
type Notice struct {
	Kind  Kind
	At    time.Time
	ID    string // SES's id of the email
	Event string // the event that a sent email was tagged with; "" for none

	// Of an email that has come in.
	To       []string // the recipients of the envelope that are ours
	Bucket   string
	Key      string
	Infected bool // SES has found a virus
	Spam     bool // SES thinks so
	// Forged says that nothing shows that the sender is who they say: the sender's domain says that such email is not
	// from it (DMARC), or neither the server it came from (SPF) nor a signature (DKIM) speaks for it.
	Forged bool

	// Of an email that was sent.
	Recipients []string // of whom the notice tells
	Permanent  bool     // a bounce: the address does not work, so nothing more is sent to it
}

// ErrUnreadable means that a text is no notice of SES.
var ErrUnreadable = errors.New("not a notice of SES")

// notice is a notice as SES writes it. Receipts and the older notices call their kind notificationType, those of a
// configuration set eventType.
type notice struct {
	Type  string `json:"notificationType"`
	Event string `json:"eventType"`
	Mail  struct {
		ID   string              `json:"messageId"`
		At   time.Time           `json:"timestamp"`
		Tags map[string][]string `json:"tags"`
	} `json:"mail"`
	Receipt struct {
		At         time.Time `json:"timestamp"`
		Recipients []string  `json:"recipients"`
		Spam       verdict   `json:"spamVerdict"`
		Virus      verdict   `json:"virusVerdict"`
		SPF        verdict   `json:"spfVerdict"`
		DKIM       verdict   `json:"dkimVerdict"`
		DMARC      verdict   `json:"dmarcVerdict"`
		Action     struct {
			Type   string `json:"type"`
			Bucket string `json:"bucketName"`
			Key    string `json:"objectKey"`
		} `json:"action"`
	} `json:"receipt"`
	Bounce struct {
		Type       string      `json:"bounceType"`
		At         time.Time   `json:"timestamp"`
		Recipients []recipient `json:"bouncedRecipients"`
	} `json:"bounce"`
	Complaint struct {
		At         time.Time   `json:"timestamp"`
		Recipients []recipient `json:"complainedRecipients"`
	} `json:"complaint"`
	Delivery struct {
		At         time.Time `json:"timestamp"`
		Recipients []string  `json:"recipients"`
	} `json:"delivery"`
}

type verdict struct {
	Status string `json:"status"`
}

func (v verdict) failed() bool { return v.Status == "FAIL" }
func (v verdict) passed() bool { return v.Status == "PASS" }

type recipient struct {
	Address string `json:"emailAddress"`
}

// Read reads the message of a notice. It returns ErrUnreadable. A notice of a kind that nobody knows is Other.
func Read(message []byte) (Notice, error) {
	var n notice
	if json.Unmarshal(message, &n) != nil || n.Mail.ID == "" || n.Type == "" && n.Event == "" {
		return Notice{}, ErrUnreadable
	}
	read := Notice{Kind: Other, At: n.Mail.At, ID: n.Mail.ID}
	if events := n.Mail.Tags["event"]; len(events) > 0 {
		read.Event = events[0]
	}
	switch n.Type + n.Event {
	case "Received":
		read.Kind, read.At, read.To = Received, n.Receipt.At, addresses(n.Receipt.Recipients)
		read.Bucket, read.Key = n.Receipt.Action.Bucket, n.Receipt.Action.Key
		read.Infected, read.Spam = n.Receipt.Virus.failed(), n.Receipt.Spam.failed()
		read.Forged = n.Receipt.DMARC.failed() ||
			!n.Receipt.DMARC.passed() && !n.Receipt.SPF.passed() && !n.Receipt.DKIM.passed()
		if n.Receipt.Action.Type != "S3" || read.Bucket == "" || read.Key == "" {
			return Notice{}, ErrUnreadable
		}
	case "Bounce":
		read.Kind, read.At, read.Recipients = Bounced, n.Bounce.At, of(n.Bounce.Recipients)
		read.Permanent = n.Bounce.Type == "Permanent"
	case "Complaint":
		read.Kind, read.At, read.Recipients = Complained, n.Complaint.At, of(n.Complaint.Recipients)
	case "Delivery":
		read.Kind, read.At, read.Recipients = Delivered, n.Delivery.At, addresses(n.Delivery.Recipients)
	case "Reject":
		read.Kind = Rejected
	}
	return read, nil
}

// maxRecipients bounds the recipients of a notice.
const maxRecipients = 100

// addresses returns the addresses among some texts in their one form.
func addresses(texts []string) []string {
	var all []string
	for _, text := range texts[:min(len(texts), maxRecipients)] {
		if address, err := mailaddress.Parse(text); err == nil {
			all = append(all, address)
		}
	}
	return all
}

func of(recipients []recipient) []string {
	texts := make([]string, len(recipients))
	for i, r := range recipients {
		texts[i] = r.Address
	}
	return addresses(texts)
}
