package conversationsapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// poster takes emails, or refuses them.
type poster struct {
	refuses error
	took    []string
}

func (p *poster) Send(_ context.Context, email ses.Email) (string, error) {
	p.took = append(p.took, string(email.Raw))
	return "0109018f-1@ap-south-1.amazonses.com", p.refuses
}

// posts sends an event of the outbox by email.
func (w *world) posts(p *poster, id string) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: *w.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "test", Handlers: posting.Handlers(w.rooms.Mailing, p),
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}
	event, err := relay.Get(w.t.Context(), id)
	w.must(err)
	w.must(relay.Deliver(w.t.Context(), event))
}

const ashaMail = "asha@example.com"

// mailFirm is a firm that also writes by email.
func mailFirm(t testing.TB) *world { return mailing(firm(t)) }

// mailing has the company of a world write by email as well.
func mailing(w *world) *world {
	t := w.t
	t.Helper()
	var c struct{ ChannelConfig Object }
	w.do(http.MethodGet, company, "", "").Want(t, http.StatusOK, &c)
	config := strings.Replace(string(c.ChannelConfig), "}", `,"company_email":"jobs@haat.example"}`, 1)
	w.do(http.MethodPut, company, "", `{"name":"Cucumber","active":true,"version":1,"channelConfig":`+config+`}`).
		Want(t, http.StatusOK)
	w.do(http.MethodPut, project, "", `{"name":"Clarify CV","allowedChannels":["whatsapp","email"],"opening":{`+
		`"text":"Dear {first_name},\n\nis your CV up to date?","subject":"Your CV, {first_name}"},"version":1}`).
		Want(t, http.StatusOK)
	return w
}

// mails begins a conversation by email.
func (w *world) mails(id, recipient string) answer {
	w.t.Helper()
	return w.do(http.MethodPost, project+"/conversations", "mail "+id+recipient, `{"requestId":"`+id+
		`","channel":"email","recipient":`+recipient+`,"consent":true}`)
}

func (w *world) mailed(id string) conversationsmodel.Conversation {
	w.t.Helper()
	c, err := w.domain.Talks.Get(w.t.Context(), keys.Talk("ci-1", "pi-1", model.Name(id), ashaMail))
	w.must(err)
	return c
}

// A conversation goes out by email from the company's own address, and the outcome settles into it. What an operator
// answers is in the same thread.
func TestAConversationByEmail(t *testing.T) {
	for status, refuses := range map[string]error{
		"initial_message_sent": nil, "failed": &ses.Refused{HTTP: 400, Code: "MessageRejected"}} {
		w, p := mailFirm(t), &poster{refuses: refuses}
		w.mails("r1", `{"email":"Asha@Example.com","firstName":"Asha"}`).Want(t, http.StatusAccepted)
		c := w.mailed("r1")
		if c.EmailID != nil || c.Status != conversationsmodel.Processing || c.GSICompanyEmail != "jobs@haat.example" ||
			c.GSIRecipientEmail != ashaMail || c.GSICompanyWhatsApp != "" || c.PhoneNumberID != "" {
			t.Errorf("begins as %+v", c)
		}
		w.posts(p, c.OutboxEventID)
		if c = w.mailed("r1"); string(c.Status) != status || (c.FailureReason == "") != (refuses == nil) ||
			(c.EmailID != nil) != (refuses == nil) || !strings.Contains(p.took[0], "Subject: Your CV, Asha\r\n") ||
			!strings.Contains(p.took[0], "Dear Asha,\r\n\r\nis your CV up to date?") {
			t.Errorf("%s: %+v\n%s", status, c, p.took)
		}
		if refuses != nil {
			continue
		}
		if *c.EmailID != "0109018f-1@ap-south-1.amazonses.com" || c.TaskComplete != 1 {
			t.Errorf("%+v", c)
		}
		path := project + "/recipients/" + ashaMail + "/conversations/r1"
		w.do(http.MethodPost, path+"/messages", "a1", `{"text":"Please write."}`).Want(t, http.StatusAccepted)
		answered := w.mailed("r1").Messages
		w.posts(p, answered[len(answered)-1].EntryID)
		for _, want := range []string{"Subject: Re: Your CV, Asha\r\n", "In-Reply-To: <" + *c.EmailID + ">\r\n",
			"References: <" + *c.EmailID + ">\r\n", "Please write."} {
			if len(p.took) != 2 || !strings.Contains(p.took[1], want) || strings.Contains(p.took[1], "Auto-Submitted") {
				t.Errorf("no %q in %v", want, p.took[1:])
			}
		}
	}
}

// An email that waits does not go out from an address that the company has given up: another one may have it by now.
func TestAnEmailIsNotSentFromAnAddressThatWasGivenUp(t *testing.T) {
	w, p := mailFirm(t), &poster{}
	w.mails("r1", `{"email":"`+ashaMail+`","firstName":"Asha"}`).Want(t, http.StatusAccepted)
	w.do(http.MethodPut, company, "", `{"name":"Cucumber","active":true,"version":2,"channelConfig":{}}`).
		Want(t, http.StatusOK)
	w.posts(p, w.mailed("r1").OutboxEventID)
	if c := w.mailed("r1"); c.Status != conversationsmodel.Failed || c.FailureReason != sending.NotOurs ||
		len(p.took) > 0 {
		t.Errorf("%s %q, sent %v", c.Status, c.FailureReason, p.took)
	}
}

// What cannot be sent by email is refused by name, and nothing is stored.
func TestAConversationByEmailThatIsRefused(t *testing.T) {
	w := mailFirm(t)
	w.do(http.MethodPost, "/v1/companies", "", `{"id":"ci-2","name":"Other"}`).Want(t, http.StatusCreated)
	w.do(http.MethodPut, "/v1/companies/ci-2/projects/pi-1", "",
		`{"name":"P","allowedChannels":["email"],"opening":{"text":"Hello"},"version":0}`).Want(t, http.StatusOK)
	before := len(w.db.Items(t, tables.Conversations))
	for recipient, want := range map[string]string{
		`{"tel":"+919876543210","firstName":"Asha"}`:                         "no-recipient-address",
		`{"email":"` + ashaMail + `"}`:                                       "missing-value",
		`{"email":"asha@example.com\nBcc: all@example.com","firstName":"A"}`: "body.recipient.email",
		`{"email":"asha@localhost","firstName":"A"}`:                         "body.recipient.email",
	} {
		if got := w.mails("r2", recipient); got.Status < 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", recipient, got.Status, got.Body)
		}
	}
	if got := w.do(http.MethodPost, "/v1/companies/ci-2/projects/pi-1/conversations", "k", `{"requestId":"r1",`+
		`"channel":"email","recipient":{"email":"a@example.com"},"consent":true}`); !strings.Contains(got.Body,
		"no-company-address") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if after := len(w.db.Items(t, tables.Conversations)); after != before {
		t.Errorf("%d items, and then %d", before, after)
	}
}

// An address gets no more emails if one has come back for good, or if its owner has called one spam. A conversation
// whose opening has come back has failed. A notice may come twice, and for an email that nobody knows any more.
func TestNothingMoreGoesToAnAddressThatSESTellsOf(t *testing.T) {
	for kind, want := range map[notices.Kind]string{
		notices.Bounced: "failed", notices.Complained: "initial_message_sent",
		notices.Delivered: "initial_message_sent",
	} {
		w, p := mailFirm(t), &poster{}
		begins := func(id string) answer { return w.mails(id, `{"email":"`+ashaMail+`","firstName":"Asha"}`) }
		begins("r1").Want(t, http.StatusAccepted)
		c := w.mailed("r1")
		w.posts(p, c.OutboxEventID)
		begins("r2").Want(t, http.StatusAccepted)
		told := notices.Notice{
			Kind: kind, Event: posting.Tag(c.OutboxEventID), Recipients: []string{ashaMail}, Permanent: true}
		for range 2 {
			w.must(posting.Told(t.Context(), w.rooms.Mailing, told))
		}
		if got := w.mailed("r1").Status; string(got) != want {
			t.Errorf("%s leaves the conversation %s", kind, got)
		}
		w.posts(p, w.mailed("r2").OutboxEventID) // it was accepted before
		third, second := begins("r3"), w.mailed("r2")
		goesOn := kind == notices.Delivered
		if strings.Contains(third.Body, "address-suppressed") == goesOn || (len(p.took) == 2) != goesOn ||
			(second.FailureReason == "address_suppressed") == goesOn {
			t.Errorf("%s: %s, %d sent, %s %s", kind, third.Body, len(p.took), second.Status, second.FailureReason)
		}
		told.Event = "0-1"
		w.must(posting.Told(t.Context(), w.rooms.Mailing, told))
	}
}

// An email address is one company's. It is free again when the company has another one.
func TestAnEmailAddressIsOneCompanys(t *testing.T) {
	w := mailFirm(t)
	has := func(id, address string) answer {
		return w.do(http.MethodPost, "/v1/companies", "", `{"id":"`+id+
			`","name":"Other","channelConfig":{"company_email":"`+address+`"}}`)
	}
	if got := has("ci-2", "jobs@haat.example"); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Body, "channelConfig.company_email") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	has("ci-3", "other@haat.example").Want(t, http.StatusCreated)
	w.do(http.MethodPut, company, "", `{"name":"Cucumber","active":true,"version":2,`+
		`"channelConfig":{"company_email":"more@haat.example"}}`).Want(t, http.StatusOK)
	for range 2 { // a repeated request
		has("ci-2", "jobs@haat.example").Want(t, http.StatusCreated)
	}
}
