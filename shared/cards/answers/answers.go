// Package answers is how admins decide about requests for cards in WhatsApp: by the buttons of the message that asks
// them, or in words.
package answers

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The metrics of answers.
var (
	// requests decided by a WhatsApp message
	Decisions = telemetry.Metric{Name: "DecisionsByAnswer", Unit: "Count", Series: telemetry.LogOnly}
	// commands of strangers, and those not understood
	Refused = telemetry.Metric{Name: "Refused", Unit: "Count", Series: telemetry.LogOnly}
)

// Answers reads what admins answer.
type Answers struct {
	DB            *dynamo.Client
	Now           func() time.Time
	Domain        string // in the purpose of messages
	Programs      *programs.Programs
	Notifications *notifications.Notifications
	Requests      *requests.Requests
}

// now returns the time, as it is stored.
func (s *Answers) now() model.Time { return model.At(s.Now()) }

// Subscription is the subscription to the answers of admins. It claims what an admin answers. What a stranger writes in
// the form of an answer is kept, and left to the other domains.
func (s *Answers) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: s.Domain, Claims: true,
		Wants: func(m inbound.Message) bool {
			if m.Choice != nil {
				_, ours := command.FromPayload(m.Choice.ID)
				return m.Live && ours
			}
			return m.Live && m.Kind == "text" && command.MayBe(m.Text)
		},
		React: func(ctx context.Context, m inbound.Message) (claimed bool, err error) {
			return claimed, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				claimed, err = s.answer(ctx, m)
				return err
			})
		},
	}
}

// answer makes one attempt to do what a message asks for. What it does and the row that keeps the message commit in one
// transaction, on the condition that there is no row: so a message is answered once.
func (s *Answers) answer(ctx context.Context, m inbound.Message) (claimed bool, err error) {
	tenant, err := m.Tenant(ctx)
	if err != nil || tenant == "" {
		return false, err
	}
	row := dynamo.Ref{Table: tables.WhatsAppInbound, Key: keys.InboundCommand(model.Name(m.ID))}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{row, programs.Ref(tenant)})
	if err != nil {
		return false, err
	}
	if item := row.Found(found); item != nil {
		var kept cardsmodel.Inbound
		err := dynamo.Unmarshal(item, &kept)
		return kept.IsFromWhitelistedAdmin, err
	}
	if ours, err := s.asksAbout(ctx, m); err != nil || !ours {
		return false, err
	}
	program, err := programs.In(found, tenant)
	if errors.Is(err, programs.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	asked, is := read(m, program)
	if !is {
		return false, nil // a word of another tenant
	}
	admin, may, err := s.Programs.AdminOf(ctx, program, m)
	if err != nil {
		return false, err
	}
	a := &answering{room: s, message: m, program: program, admin: admin, asked: asked}
	a.row = s.newInbound(m, tenant, asked, may)
	if !may {
		telemetry.Count(ctx, Refused, 1)
		return false, a.keep(ctx, cardsmodel.InboundIgnored, "", "not an admin of the program")
	}
	return true, a.act(ctx)
}

// asksAbout reports whether a message may be an answer: it is a text, or its button stands under a notification about
// the very request that the button names. A button with the same id that somebody else has sent decides nothing.
func (s *Answers) asksAbout(ctx context.Context, m inbound.Message) (bool, error) {
	if m.Choice == nil {
		return true, nil
	}
	notification, ours, err := m.Asked(ctx, s.Domain)
	if err != nil || !ours {
		return false, err
	}
	tapped, _ := command.FromPayload(m.Choice.ID)
	return strings.HasPrefix(notification,
		notifications.IDOf(model.Name(tapped.Request), cardsmodel.NotifyApprovalRequest, "")), nil
}

// read returns what a message asks for, in the words of a tenant.
func read(m inbound.Message, program cardsmodel.Program) (command.Command, bool) {
	if m.Choice != nil {
		return command.FromPayload(m.Choice.ID)
	}
	return command.FromText(m.Text,
		command.DefaultWords().With(program.Policy.ApproveWords, program.Policy.RejectWords))
}

func (s *Answers) newInbound(m inbound.Message, tenant model.TenantID, asked command.Command,
	admin bool) cardsmodel.Inbound {
	id := m.Customer
	if len(m.Customers) > 0 {
		id = m.Customers[0]
	}
	sender := string(id)
	if whatsapp.Digits(sender) == sender { // it is a phone number, and no user id
		sender = "+" + sender
	}
	body := m.Text
	if m.Choice != nil {
		body = m.Choice.Title
	}
	return cardsmodel.Inbound{
		MessageID: model.Name(m.ID), WPPMessageID: m.ID, SenderPhone: sender, IsFromWhitelistedAdmin: admin,
		RawBody: body, TenantID: tenant,
		ParsedCommand: &cardsmodel.Command{Action: string(asked.Action), Request: asked.Request, Reason: asked.Reason},
		ReceivedAt:    m.At, ReceivedAtMessageID: keys.Joined(m.At, string(m.ID)),
	}
}

// answering is one admin's answer.
type answering struct {
	room    *Answers
	message inbound.Message
	program cardsmodel.Program
	admin   cardsmodel.Admin
	asked   command.Command
	row     cardsmodel.Inbound
}

// act does what an admin asks for.
func (a *answering) act(ctx context.Context) error {
	request, err := a.request(ctx)
	if err != nil {
		return err
	}
	if request == "" {
		return a.help(ctx)
	}
	outcome := cardsmodel.ApprovalApproved
	if a.asked.Action == command.Reject {
		outcome = cardsmodel.ApprovalRejected
	}
	a.row.RelatedRequestID = request
	decided, err := a.room.Requests.Try(ctx, requests.Answer{
		Tenant: a.program.TenantID, Request: request, Outcome: outcome, Reason: a.asked.Reason, At: a.message.At,
		Phone: a.admin.Phone,
		By:    changes.By{Via: cardsmodel.ViaWhatsApp, Actor: a.actor()},
		With:  a.confirm,
	})
	a.row.RelatedEcosystemID = decided.EcosystemID
	switch {
	case err == nil:
		telemetry.Count(ctx, Decisions, 1)
		return nil
	case errors.Is(err, requests.ErrDecided):
		return a.keep(ctx, cardsmodel.InboundProcessed, cardsmodel.ActionAlreadyDecided, "",
			a.say(textDecided(decided), decided))
	case errors.Is(err, requests.ErrExpired):
		return a.keep(ctx, cardsmodel.InboundProcessed, cardsmodel.ActionAlreadyDecided, "",
			a.say(textExpired, decided))
	case errors.Is(err, users.ErrDisabled), errors.Is(err, requests.ErrUnknownProduct):
		telemetry.Count(ctx, Refused, 1)
		return a.keep(ctx, cardsmodel.InboundFailed, "", "cannot be approved as things stand",
			a.say(textCannot, decided))
	case errors.Is(err, dynamo.ErrNotFound):
		return a.help(ctx)
	}
	return err
}

// actor names the admin in audit records: as the person who signs in, where that is known.
func (a *answering) actor() audit.Actor {
	subject := a.admin.Subject
	if subject == "" {
		subject = "admin:" + string(a.admin.ID)
	}
	return audit.Actor{Subject: subject, Name: a.admin.Name, RequestID: string(a.message.ID)}
}

// request returns the id of the request that the answer names, or "" if it names none that there is.
func (a *answering) request(ctx context.Context) (model.Name, error) {
	if a.asked.Request == "" || !command.IsCode(a.asked.Request) {
		return model.Name(a.asked.Request), nil
	}
	var code struct{ LeadsTo model.Name }
	err := a.room.DB.Get(ctx, tables.PendingApprovals,
		keys.RequestCode(a.program.TenantID, model.Name(a.asked.Request)), &code)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	return code.LeadsTo, err
}

// confirm has the transaction of a decision keep the message, and tell the admin.
func (a *answering) confirm(t *notifications.Transaction, request cardsmodel.Request) {
	t.Put(tables.WhatsAppInbound,
		a.settled(cardsmodel.InboundProcessed, string(request.Status), "", request.EcosystemID))
	a.say(textConfirmed(request), request)(t)
}

// settled returns the row with what became of the message.
func (a *answering) settled(status cardsmodel.InboundStatus, action, wrong string, user model.Name) cardsmodel.Inbound {
	row := a.row
	row.ProcessedStatus, row.ProcessedAction, row.ProcessingError, row.RelatedEcosystemID, row.ProcessedAt = status,
		action, wrong, user, a.room.now()
	return row
}

// keep commits the row, with what is added.
func (a *answering) keep(ctx context.Context, status cardsmodel.InboundStatus, action, wrong string,
	more ...func(t *notifications.Transaction)) error {
	t := a.room.Notifications.Begin(a.program)
	t.Put(tables.WhatsAppInbound, a.settled(status, action, wrong, a.row.RelatedEcosystemID))
	for _, add := range more {
		add(t)
	}
	return t.Commit(ctx)
}

// say returns what adds an answer to the admin, in their language.
func (a *answering) say(text textKey, request cardsmodel.Request) func(t *notifications.Transaction) {
	return func(t *notifications.Transaction) {
		language := policy.LanguageOf(a.admin.Language, a.program.Language)
		t.Reply(a.message.ID, a.message.Phone, a.message.Customer, render(text, language, a.program, request))
	}
}

// helpEvery is how often an admin is told at most how to answer.
const helpEvery = time.Minute

// help tells the admin how to answer, unless they were told a moment ago.
func (a *answering) help(ctx context.Context) error {
	telemetry.Count(ctx, Refused, 1)
	key := keys.AdminHelp(a.program.TenantID, a.admin.ID)
	var last struct{ HelpedAt model.Time }
	err := a.room.DB.Get(ctx, tables.WhatsAppInbound, key, &last)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	const wrong = "names no request"
	if now := a.room.Now(); last.HelpedAt != "" && now.Sub(last.HelpedAt.Go()) < helpEvery {
		return a.keep(ctx, cardsmodel.InboundFailed, "", wrong)
	}
	helped := dynamo.Update{
		Table: tables.WhatsAppInbound, Key: key, Do: "SET helpedAt = :now", If: "attribute_not_exists(helpedAt)",
		Values: dynamo.Item{":now": dynamo.S(a.room.now())},
	}
	if last.HelpedAt != "" {
		helped.If, helped.Values[":last"] = "helpedAt = :last", dynamo.S(last.HelpedAt)
	}
	return a.keep(ctx, cardsmodel.InboundFailed, cardsmodel.ActionHelped, wrong, a.say(textHelp, cardsmodel.Request{}),
		func(t *notifications.Transaction) {
			t.Add([]dynamo.Write{helped}, nil)
		})
}
