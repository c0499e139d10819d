package soak

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// take makes a step happen, or has it happen in the next round.
func (w *simulation) take(s step) {
	w.rng = rand.New(rand.NewPCG(s.seed, 5))
	w.advance(s.gap)
	c := w.customers[s.who]
	switch s.kind {
	case say:
		w.says(c)
	case changeNumber:
		w.movesTo(c)
	case passNumber:
		w.passesOn(c)
	case changeUserID:
		w.changesUserID(c)
	case repeatNotice:
		w.repeatsNotice(c)
	case sayInGroup:
		w.saysInGroup(c)
	case echo:
		w.echoes(c)
	case importHistory:
		w.imports(c)
	case redeliver:
		w.redelivers()
	case read, markUnread, archive, unarchive:
		w.operations = append(w.operations, func() { w.mark(s.kind, c) })
	case accept:
		w.sends(c)
	case erase:
		w.erases(c)
	case forge:
		w.forges()
	case restart: // every record that is on its way comes again
		w.pending[webhooklog.Inbound] = append(w.pending[webhooklog.Inbound], w.broughtTo(webhooklog.Inbound)...)
	case askCard, adminTap, adminWrite, strangerWrite, decideByAPI, expireCards, adminMoves, confirmAdmin, confirmStore:
		w.inBank(s, c)
	default:
		w.inShop(s, c)
	}
	if w.rng.IntN(3) == 0 {
		w.works()
	}
}

// works does what is due now, with faults.
func (w *simulation) works() {
	w.round++
	w.faults.every.Store(int64([]int{0, 10, 30, 100}[w.rng.IntN(4)]))
	w.arrive(false)
	w.together(70)
	if w.rng.IntN(8) == 0 {
		w.advance(time.Minute)
		w.sweepLog()
	}
}

func (w *simulation) saysInGroup(c *customer) {
	contact, sender := w.contactOf(c, c.shows != aUserID, c.shows != aNumber)
	m := w.said(c, true)
	m.group = true
	body := wt.Message("", m.id, "text", m.at,
		wt.Object{"group_id": "GROUP-" + w.phone, "text": wt.Object{"body": m.marker}})
	delete(body, "from")
	for name, value := range sender {
		body[name] = value
	}
	w.deliver(w.change("messages", wt.Object{"contacts": wt.List{contact}, "messages": wt.List{body}}))
}

// echoes is the business's own message to a customer from its phone app.
func (w *simulation) echoes(c *customer) {
	if c.shows == aUserID || w.clock().Before(c.quiet) {
		return
	}
	m := w.said(c, false)
	m.inbound = false
	body := wt.Message(wt.Display, m.id, "text", m.at,
		wt.Object{"to": c.number.id, "text": wt.Object{"body": m.marker}})
	w.deliver(w.change("smb_message_echoes", wt.Object{"message_echoes": wt.List{body}}))
	if w.rng.IntN(2) == 0 { // its statuses may come first
		m.status = model.Read
		for _, status := range []string{"read", "delivered"} {
			w.deliver(w.change("messages",
				wt.Object{"statuses": wt.List{wt.Status(m.id, status, c.number.id, m.at, nil)}}))
		}
	}
}

// imports brings old messages of a thread with a customer's number, from before everything else.
func (w *simulation) imports(c *customer) {
	if c.shows == aUserID || c.number.notice != "" || len(c.notices) > 0 || c.erasures > 0 {
		return // nobody can know who had the number then
	}
	var thread wt.List
	for i := range 1 + w.rng.IntN(4) {
		m := w.said(c, false)
		m.at = began.Add(-time.Duration(1000-i) * time.Hour)
		thread = append(thread,
			wt.Message(c.number.id, m.id, "text", m.at, wt.Object{"text": wt.Object{"body": m.marker}}))
	}
	w.deliver(w.change("history", wt.Object{"history": wt.List{wt.Object{
		"metadata": wt.Object{"phase": 0}, "threads": wt.List{wt.Object{"id": c.number.id, "messages": thread}},
	}}}))
}

// redelivers posts a body again: the same, or its changes in a body of another time.
func (w *simulation) redelivers() {
	if len(w.posted) == 0 {
		return
	}
	body := w.posted[w.rng.IntN(len(w.posted))]
	if w.rng.IntN(2) == 0 {
		body = []byte(
			strings.Replace(string(body), `{"changes"`, fmt.Sprintf(`{"time":%d,"changes"`, w.clock().Unix()), 1))
	}
	w.post(body)
}

// conversations are those of a customer, by the messages that are stored.
func (w *simulation) conversations(c *customer) []model.CustomerID {
	found := map[model.CustomerID]bool{}
	for _, item := range w.items(tables.Messages) {
		id, isMessage := keys.MessageIDOf(textOf(item, "pk"))
		home := textOf(item, "conversationPk")
		if !isMessage || home == "" {
			continue
		}
		if said := w.message(string(id)); said != nil && said.by == c && !said.group && said.erasures == c.erasures {
			_, customer, _ := keys.ConversationIDs(home)
			found[customer] = true
		}
	}
	var all []model.CustomerID
	for customer := range found {
		all = append(all, customer)
	}
	return all
}

func (w *simulation) message(id string) *message {
	for _, m := range w.messages {
		if m.id == id {
			return m
		}
	}
	return nil
}

// mark makes an operator's mark on all of a customer's conversations. The operator repeats a call that fails.
func (w *simulation) mark(k kind, c *customer) {
	phone := model.PhoneNumberID(w.phone)
	marking := w.conversations(c)
	for _, customer := range marking {
		for range 50 {
			var err error
			switch k {
			case read:
				err = w.rooms().MarkRead(w.t.Context(), tenant, phone, customer)
			case markUnread:
				err = w.rooms().MarkUnread(w.t.Context(), phone, customer)
			default:
				err = w.rooms().SetArchived(w.t.Context(), phone, customer, k == archive)
			}
			if err == nil || errors.Is(err, inbox.ErrNoConversation) {
				break
			}
		}
	}
	if len(marking) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	marked := w.marks[c]
	switch k {
	case read:
		marked.read = w.round
	case markUnread:
		marked.unread += len(marking)
	case archive:
		marked.archived = w.round
	case unarchive:
		marked.unarchived = w.round
	}
	w.marks[c] = marked
	w.maybeMarked(k, c, marking)
}

// maybeMarked notes a mark with those who may share a conversation with the customer until a notice comes, and with
// those whose messages stand in one of the marked conversations: a notice that has come may depend on one that has not.
func (w *simulation) maybeMarked(k kind, c *customer, marking []model.CustomerID) {
	sharing := w.authorsIn(marking)
	delete(sharing, c)
	for _, m := range w.messages {
		if m.by == c {
			maps.Copy(sharing, m.visits)
		} else if m.visits[c] {
			sharing[m.by] = true
		}
	}
	for other := range sharing {
		marked := w.marks[other]
		switch k {
		case read:
			marked.maybeRead = w.round
		case markUnread:
			marked.unread++
		case archive:
			marked.maybeArchived = w.round
		}
		w.marks[other] = marked
	}
}

// authorsIn returns the customers whose messages stand in conversations.
func (w *simulation) authorsIn(conversations []model.CustomerID) map[*customer]bool {
	in := map[string]bool{}
	for _, customer := range conversations {
		in[keys.Conversation(model.PhoneNumberID(w.phone), customer).Partition] = true
	}
	authors := map[*customer]bool{}
	for _, item := range w.items(tables.Messages) {
		id, isMessage := keys.MessageIDOf(dynamo.Text(item, "pk"))
		if !isMessage || !in[dynamo.Text(item, "conversationPk")] {
			continue
		}
		if m := w.message(string(id)); m != nil {
			authors[m.by] = true
		}
	}
	return authors
}

// sends is an operator's message to a customer; who does not get an answer asks again with the same key.
func (w *simulation) sends(c *customer) {
	out := &sentMessage{
		name: fmt.Sprintf("own_%s_%d_end", w.phone, len(w.own)), to: c, erasures: c.erasures,
		open: c.visits > 0 || len(w.takenFor(c)) > 0 || w.movedUnnoticed(c)}
	w.own = append(w.own, out)
	w.operations = append(w.operations, func() {
		out.open = out.open || c.visits > 0 || len(w.takenFor(c)) > 0 || w.movedUnnoticed(c)
		conversations := w.conversations(c)
		if len(conversations) == 0 {
			out.err = inbox.ErrNoConversation
			return
		}
		request, err := idempotency.NewRequest(idempotency.API, tenant, "operator", "send", out.name, out.name)
		if err != nil {
			w.t.Error(err)
		}
		out.began = w.clock()
		for range 50 {
			out.accepted, out.err = w.rooms().Accept(w.t.Context(), sending.Outgoing{
				Tenant: tenant, Phone: model.PhoneNumberID(w.phone), Customer: conversations[0], SentBy: "operator",
				Content: content.Template{Name: out.name, Language: "en"}, OverrideOptOut: true,
			}, request)
			if out.err == nil {
				break
			}
		}
		out.ends = w.clock()
	})
}

// movedUnnoticed reports whether the system has not been told yet of a customer's last move: what is sent to them goes
// to the number that they have given up.
func (w *simulation) movedUnnoticed(c *customer) bool {
	return len(c.notices) > 0 && !w.isStored(c.notices[len(c.notices)-1].id)
}

// erases waits until all is quiet, and erases a customer, with faults.
func (w *simulation) erases(c *customer) {
	w.settle()
	conversations := w.conversations(c)
	if len(conversations) != 1 {
		return // they are not known to be one person yet
	}
	w.advance(3 * time.Second)
	at := w.clock()
	w.faults.every.Store(20)
	for attempt := 0; ; attempt++ {
		done, err := w.rooms().Erase(w.t.Context(), erasure.Request{
			Tenant: tenant, Phone: model.PhoneNumberID(w.phone), Customer: conversations[0], Reason: "asked",
			By: audit.Actor{Subject: "operator"},
		})
		if err == nil && done.CompletedAt != "" {
			break
		}
		if isRule(err) {
			w.faults.every.Store(0)
			return // a rule keeps them, such as an open order
		}
		if attempt > 100 {
			w.t.Fatalf("never erased: %+v, %v", done, err)
		}
		w.advance(10 * time.Second)
	}
	w.faults.every.Store(0)
	w.erasures = append(w.erasures, erasedCustomer{of: c, at: at, own: len(w.own)})
	c.erasures++
	c.quiet = w.clock().Add(3 * time.Second)
	delete(w.marks, c)
}

// forges posts statuses that name an event of ours by its id alone, from another number and from ours.
func (w *simulation) forges() {
	for _, out := range w.own {
		if out.accepted.OutboxEventID == "" || w.rng.IntN(3) > 0 {
			continue
		}
		status := wt.Status(fmt.Sprintf("wamid.forged.%d", w.ids.Add(1)),
			[]string{"delivered", "failed"}[w.rng.IntN(2)], out.to.number.id, w.clock(),
			wt.Object{"biz_opaque_callback_data": out.accepted.OutboxEventID})
		change := w.change("messages", wt.Object{"statuses": wt.List{status}})
		if w.rng.IntN(2) == 0 {
			change["value"].(wt.Object)["metadata"] = wt.Object{"phone_number_id": "999999999999"}
		}
		w.post(wt.Body(change))
		return
	}
}
