package soak

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/arrivals/taking"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/sms/texted"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var channels = []model.Channel{model.ChannelWhatsApp, model.ChannelSMS, model.ChannelEmail}

// step does one thing.
func (f *firm) step(n int) {
	f.advance(time.Duration(1+f.rng.IntN(90)) * time.Second)
	if f.faults.every.Store(0); f.rng.IntN(3) > 0 {
		f.faults.every.Store(int64(4 + f.rng.IntN(30)))
	}
	who := f.people[f.rng.IntN(len(f.people))]
	switch f.rng.IntN(16) {
	case 0, 1, 2:
		f.begins(who, channels[f.rng.IntN(3)], model.Name(fmt.Sprint("r", n)))
	case 3, 4, 5:
		f.sweeps()
	case 6:
		f.works(n)
	case 7:
		f.advance(time.Duration(f.rng.IntN(72)) * time.Hour)
		f.sweeps()
	case 8:
		if f.rng.IntN(3) == 0 {
			f.erases(who)
		}
	case 9:
		if len(f.sayings) > 0 {
			f.repeats(f.sayings[f.rng.IntN(len(f.sayings))])
		}
	default:
		f.says(who, n)
	}
}

// begins has the company begin a conversation. It may be refused.
func (f *firm) begins(who *applicant, channel model.Channel, id model.Name) {
	r := opening.Request{
		Tenant: tenant, Company: firmID, Project: firmProject, ID: id, Channel: channel, Tel: model.Name("+" + who.tel),
		Email: model.Name(who.mail), Consent: true}
	if channel == model.ChannelEmail {
		r.Tel = ""
	} else {
		r.Email = ""
	}
	key, err := idempotency.NewRequest(idempotency.API, tenant, "operator", "open", string(id), r)
	f.must(err)
	f.tries("a request", func(rooms *messaging.Domain) error {
		_, err := registry.Conversations(rooms).Opening.Open(f.t.Context(), r, key)
		if errors.Is(err, opening.ErrRefused) || sending.IsRefusal(err) || errors.Is(err, sending.ErrOptedOut) ||
			errors.Is(err, sending.ErrLeft) {
			return nil
		}
		return err
	})
}

// sweeps has both lanes send what waits, and counts what an assistant has answered.
func (f *firm) sweeps() {
	f.advance(10 * time.Second)
	before := f.talks()
	for _, relay := range f.relays() {
		_ = relay.Sweep(f.t.Context()) // the next one goes on
	}
	f.countAnswers(before)
}

// countAnswers notes to which messages an assistant has answered since.
func (f *firm) countAnswers(before map[string]conversationsmodel.Conversation) {
	for id, c := range f.talks() {
		was, is := before[id]
		if !is {
			continue
		}
		if more := f.automatic(c) - f.automatic(was); more > 0 {
			key := id + " " + was.Pending
			if f.answers[key] += more; was.Pending == "" || f.answers[key] > 1 {
				f.t.Errorf("%s: %d answers to %q", id, f.answers[key], was.Pending)
			}
		}
	}
}

// automatic returns how many messages of an assistant a conversation has.
func (f *firm) automatic(c conversationsmodel.Conversation) (n int) {
	for _, e := range f.history(c) {
		if e.Role == conversationsmodel.Assistant && e.SentBy == "" {
			n++
		}
	}
	return n
}

// works has a person of the company do something with a conversation.
func (f *firm) works(n int) {
	all := f.talks()
	if len(all) == 0 {
		return
	}
	ids := make([]string, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	c := all[ids[f.rng.IntN(len(ids))]]
	what := f.rng.IntN(4)
	key, err := idempotency.NewRequest(idempotency.API, tenant, "operator", "answer", fmt.Sprint(n), n)
	f.must(err)
	f.tries("an operator's work", func(rooms *messaging.Domain) (err error) {
		ctx, desk := f.t.Context(), registry.Conversations(rooms).Replies
		switch what {
		case 0:
			_, err = desk.Answer(ctx, c.Key(), "operator", "Thank you.", key)
		case 1:
			_, err = desk.Complete(ctx, c.Key())
		case 2:
			_, err = desk.HandOver(ctx, c.Key(), "asked")
		default:
			f.handedBack[c.ConversationID] = true
			_, err = desk.HandBack(ctx, c.Key())
		}
		if errors.Is(err, talks.ErrOver) || errors.Is(err, opening.ErrRefused) || sending.IsRefusal(err) ||
			errors.Is(err, sending.ErrOptedOut) || errors.Is(err, sending.ErrLeft) {
			return nil
		}
		return err
	})
}

// erases erases a person, by one of the addresses by which they are known.
func (f *firm) erases(who *applicant) {
	of := erasure.Request{
		Tenant: tenant, Phone: wt.Phone, Customer: model.CustomerID(who.tel), Unwritten: true, Reason: "asked",
		By: audit.Actor{Subject: "operator"}}
	byEmail := f.rng.IntN(2) == 0
	f.log("erase %s, by email %t", who.tel, byEmail)
	if byEmail {
		of.Phone, of.Customer = model.ByEmail, model.CustomerID(who.mail)
	}
	f.faults.every.Store(max(f.faults.every.Load(), 20)) // it makes many calls, and begins again after one that fails
	f.tries("an erasure", func(rooms *messaging.Domain) error {
		done, err := rooms.Erase(f.t.Context(), of)
		if err == nil && done.CompletedAt == "" {
			err = errors.New("not complete")
		}
		return err
	})
	f.faults.every.Store(0)
	f.sweeps() // files are forgotten
	for _, s := range f.sayings {
		if s.by == who && (s.channel == model.ChannelEmail) == byEmail && (byEmail || s.known || who.linked) {
			s.erased, s.in = true, ""
		}
	}
	if !byEmail {
		who.linked, who.erasedAt = false, f.clock()
	}
	for id, c := range f.talks() {
		if f.of(c) == who && (c.ChannelMethod == model.ChannelEmail) == byEmail {
			f.t.Errorf("%s was erased, and is there%s", id, f.told(c))
		}
	}
}

// Texts of people.
var applicantSays = []string{
	"What is the salary?", "Where is the office?", "I want a person", "tell me about it", "yes"}

// says has a person write.
func (f *firm) says(who *applicant, n int) {
	s := &wording{
		by: who, channel: channels[f.rng.IntN(3)],
		text: fmt.Sprint(applicantSays[f.rng.IntN(len(applicantSays))], " #", n),
		at:   f.clock().Add(-time.Duration(f.rng.IntN(100)) * time.Second), known: true}
	if stops := f.rng.IntN(12); stops < 2 {
		s.text = []string{"STOP", "START"}[stops]
	}
	s.at = s.at.Truncate(time.Second)
	var quoted string // the conversation of a message that it quotes
	switch s.channel {
	case model.ChannelWhatsApp:
		quoted = f.saysOnWhatsApp(s, n)
	case model.ChannelSMS:
		f.saysBySMS(s, n)
	case model.ChannelEmail:
		quoted = f.saysByEmail(s, n)
	}
	want := f.belongs(s, quoted)
	f.log("%s: %s by %s says %q at %s, known %t, without a number %t, which belongs to %q", s.id, who.tel, s.channel,
		s.text, s.at.Format(time.RFC3339), s.known, s.numberless, want)
	s.again()
	f.sayings = append(f.sayings, s)
	f.checkSaying(s, want)
}

// repeats brings a message once more, late.
func (f *firm) repeats(s *wording) {
	s.known = s.known || s.by.linked
	before, want := s.in, f.belongs(s, "")
	f.log("%s again, it is in %q", s.id, s.in)
	s.again()
	in := f.find(s)
	if s.erased && in != "" || before != "" && in != before {
		f.t.Errorf("%s came again, and is in %q, before in %q, erased %t", s.id, in, before, s.erased)
	}
	if before == "" && in != "" && !s.erased { // what nobody got may belong to somebody by now
		if !slices.Contains(want, in) {
			f.t.Errorf("%s came again, and is in %q, not in %q", s.id, in, want)
		}
		s.in = in
	}
}

func (f *firm) saysOnWhatsApp(s *wording, n int) (quoted string) {
	s.id = fmt.Sprint("wamid.", n)
	message := wt.Text(s.by.tel, s.id, s.text, s.at)
	switch f.rng.IntN(5) {
	case 0:
		delete(message, "from")
		message["from_user_id"] = s.by.userID
		s.known, s.numberless = s.by.linked, true
	case 1:
		message["from_user_id"] = s.by.userID
		message["timestamp"] = fmt.Sprint(f.clock().Unix())
		s.at, s.by.linked = f.clock().Truncate(time.Second), true
	}
	if all := f.talks(); f.rng.IntN(3) == 0 {
		for _, id := range sortedKeys(all) {
			c := all[id]
			if f.of(c) == s.by && c.ChannelMethod == model.ChannelWhatsApp && c.OpeningID != "" && s.known {
				message["context"] = wt.Object{"from": wt.Display, "id": string(c.OpeningID)}
				quoted = id
				break
			}
		}
	}
	from, _ := message["from"].(string)
	body := wt.Body(wt.Messages(wt.List{wt.Contact(from, "Somebody")}, message))
	entries, err := whatsapp.DecodeWebhook(body)
	f.must(err)
	s.again = func() {
		f.tries("a webhook", func(rooms *messaging.Domain) error {
			return (webhooklog.Appender{DB: rooms.DB, Now: f.clock}).Append(f.t.Context(), entries)
		})
		f.brings(model.EventID(entries[0].ID))
	}
	return quoted
}

func (f *firm) saysBySMS(s *wording, n int) {
	text := texted.Text{ID: fmt.Sprint("in-", n), From: s.by.tel, To: strings.TrimPrefix(firmSMS, "+"), Body: s.text}
	id, at := arrivals.ID(model.ChannelSMS, firmSMS, text.ID), model.At(s.at)
	s.id = string(id)
	s.again = func() {
		f.tries("a text", func(rooms *messaging.Domain) error {
			return (&taking.Taking{
				Arrivals: rooms.Arrivals, Contacts: rooms.Contacts, Lines: registry.Conversations(rooms).Companies,
				Log: webhooklog.Appender{DB: rooms.DB, Now: f.clock}}).Text(f.t.Context(), text, at)
		})
		f.brings(id)
	}
}

func (f *firm) saysByEmail(s *wording, n int) (quoted string) {
	name := fmt.Sprint("mail-", n)
	fields := ""
	if all := f.talks(); f.rng.IntN(2) == 0 {
		for _, id := range sortedKeys(all) {
			c := all[id]
			if f.of(c) == s.by && c.ChannelMethod == model.ChannelEmail && c.EmailID != nil {
				fields, quoted = "In-Reply-To: <"+*c.EmailID+">\r\nReferences: <"+*c.EmailID+">\r\n", id
				break
			}
		}
	}
	raw := "From: " + s.by.mail + "\r\nTo: " + firmMail + "\r\nSubject: Re: Your CV\r\nMessage-ID: <" + name +
		"@example.com>\r\n" + fields + "MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n" + s.text + "\r\n"
	id := arrivals.ID(model.ChannelEmail, firmMail, name)
	s.id = string(id)
	notice := notices.Notice{
		Kind: notices.Received, ID: name, At: s.at, To: []string{firmMail}, Bucket: messagingtest.BucketName,
		Key: "mail/" + name}
	s.again = func() {
		f.bucket.Lay(notice.Key, raw)
		f.tries("an email", func(rooms *messaging.Domain) error {
			return (&collecting.Collecting{
				Arrivals: rooms.Arrivals, Mailboxes: registry.Conversations(rooms).Companies, Bucket: f.bucket,
				Log: webhooklog.Appender{DB: rooms.DB, Now: f.clock}}).Email(f.t.Context(), notice)
		})
		f.brings(id)
	}
	return quoted
}

// brings has an entry of the log processed, as the stream brings it: the first time, and once more.
func (f *firm) brings(id model.EventID) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(id)}
	image := func() dynamo.Item {
		found, err := f.db.BatchGet(f.t.Context(), []dynamo.Ref{ref})
		f.must(err)
		return ref.Found(found)
	}
	entry := image()
	for range 1 + f.rng.IntN(2) {
		f.tries("an entry of the log", func(rooms *messaging.Domain) error {
			worker := rooms.Worker(webhooklog.Inbound, silent, rooms.MessageReader(rooms.Subscriptions()...),
				rooms.Arrivals.Reader(rooms.Subscriptions))
			return cmp.Or(worker.Work(f.t.Context(), []dynamo.Item{entry}, nil)...)
		})
	}
	if now := image(); textOf(now, "processedAt") == "" || textOf(now, "processingError") != "" {
		f.t.Errorf("%s is not processed: %v", id, now["processingError"])
	}
}

func sortedKeys[T any](all map[string]T) []string {
	ids := make([]string, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
