package cost

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var cardTables = []tables.Table{
	tables.AuditLogs, tables.CardUsers, tables.CardScores, tables.Cards, tables.CardRequests, tables.CardTransactions,
	tables.CardIdempotency,
	tables.WhatsAppNotifications, tables.WhatsAppInbound, tables.PendingApprovals,
}

// admins are the numbers of those who decide.
var admins = []string{"919811111111", "919822222222", "919833333333"}

// cards returns the domain, with the rooms of the system.
func (s *system) cards() *cards.Domain { return registry.Cards(s.rooms()) }

// program gives the tenant its number and its program. Everybody who gets messages has written before, as customers and
// admins have.
func (s *system) program() {
	s.t.Helper()
	s.db.Seed(s.t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
			WABAMetaID: wt.WABA})
	s.listedTemplates()
	p := cardsmodel.Program{TenantID: "demo", PhoneNumberID: wt.Phone, Language: "en", Policy: policy.Default()}
	for i, number := range admins {
		p.Admins = append(p.Admins,
			cardsmodel.Admin{ID: model.Name(fmt.Sprint("admin-", i+1)), Name: "Ravi Kumar", Phone: "+" + number})
	}
	_, err := s.cards().Programs.Set(s.flow(), p,
		changes.By{Via: cardsmodel.ViaAPI, Actor: audit.Actor{Subject: "0192-user"}})
	s.must(err)
	for i, number := range append([]string{customer}, admins...) {
		s.post(wt.Body(wt.Messages(wt.List{wt.Contact(number, "Asha Rao")}, s.text(number, 100+i))))
	}
	s.consume()
	s.now = s.now.Add(time.Minute)
}

// listedTemplates has the account's templates listed, and a template sent once: what a process does once per number is
// no cost of a flow.
func (s *system) listedTemplates() {
	s.t.Helper()
	s.db.Seed(s.t, tables.Messages, model.Account{
		PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount, WABAMetaID: wt.WABA,
		TemplatesSyncedAt: model.At(s.now), Version: 1,
	}, messagingtest.Registered("demo", s.rooms().Wordings()))
	var asked templates.Asked
	for _, own := range s.rooms().Templates() {
		for _, language := range own.Languages {
			asked = templates.Asked{Tenant: "demo", Phone: wt.Phone, Name: own.Name, Language: language}
			s.db.Seed(s.t, tables.Messages, model.Template{
				PK:       keys.TemplateMeta(wt.WABA, model.Name(own.Name), model.Name(language)).Partition,
				ItemType: model.ItemTemplateMeta, WABAMetaID: wt.WABA,
				TemplateName: own.Name, Language: language, Status: "APPROVED", Category: "UTILITY", Version: 1,
			})
		}
	}
	found, err := s.db.BatchGet(s.flow(), s.rooms().TemplateCache.CheckRefs(wt.Phone, asked.Name, asked.Language))
	s.must(err)
	_, err = s.rooms().TemplateCache.Check(s.flow(), asked, found)
	s.must(err)
}

// cardUser creates a user.
func (s *system) cardUser(score int) cardsmodel.User {
	s.t.Helper()
	user, err := s.cards().Users.Create(s.flow(), users.New{
		Tenant: "demo", FirebaseUID: "k4Zq9YtPbXg1sVnDwRjLcUe5oHa2", Name: "Asha Rao", Phone: "+" + customer,
		Language: "en", Role: cardsmodel.RoleUser, Score: score,
	}, idempotency.Request{}, changes.By{Own: true, Decides: true})
	s.must(err)
	return user
}

func (s *system) key(operation string) idempotency.Request {
	s.t.Helper()
	key, err := idempotency.NewRequest(idempotency.API, "demo", "k4Zq9YtPbXg1sVnDwRjLcUe5oHa2", operation,
		"5f0c6a52-8c3e-4f53-9a51-3a6c2f1f7d10", nil)
	s.must(err)
	return key
}

func (s *system) askForCard(user cardsmodel.User) cardsmodel.Request {
	s.t.Helper()
	request, err := s.cards().Requests.Make(s.flow(), requests.Ask{
		Tenant: "demo", User: user.EcosystemID, Product: "standard", By: changes.By{Via: cardsmodel.ViaAPI, Own: true},
		Key: s.key("request-card"),
	})
	s.must(err)
	return request
}

func (s *system) move(card cardsmodel.Request, kind cardsmodel.TransactionType, amount int64) {
	s.t.Helper()
	m := issued.Move{
		Tenant: "demo", User: card.EcosystemID, Card: card.ResultingCardID, Type: kind,
		Amount: model.Amount{Decimal: decimal.NewFromInt(amount)},
		By:     changes.By{Own: true}, Key: s.key(string(kind)),
	}
	if kind == cardsmodel.Purchase {
		m.Merchant = "Haat Bazaar, MG Road"
	}
	_, err := s.cards().Issued.Transact(s.flow(), m)
	s.must(err)
}

// cardsFlows returns what cards cost. The messages that a request and its decision send cost what any message costs, on
// top.
func cardsFlows() []flow {
	var user cardsmodel.User
	var request cardsmodel.Request
	pending := func(s *system) {
		s.program()
		request = s.askForCard(s.cardUser(600))
		s.now = s.now.Add(time.Minute)
	}
	carded := func(s *system) {
		s.program()
		request = s.askForCard(s.cardUser(800))
		s.now = s.now.Add(time.Minute)
	}
	return []flow{
		{name: "a card request with three admins", max: 91, tables: cardTables, before: func(s *system) {
			s.program()
			user = s.cardUser(600)
		}, run: func(s *system) { s.askForCard(user) }},
		{name: "an approval by WhatsApp", max: 78, tables: cardTables, before: pending, run: func(s *system) {
			tap := wt.Object{
				"button": wt.Object{"payload": command.Payload(command.Approve, request.RequestID), "text": "Approve"},
				"context": wt.Object{
					"id": string(request.RequestID) + "." + cardsmodel.NotifyApprovalRequest + ".admin-1.0"},
			}
			s.post(wt.Body(
				wt.Messages(wt.List{wt.Contact(admins[0], "Asha Rao")},
					wt.Message(admins[0], wamid(200), "button", s.now, tap))))
			s.consume()
			if decided, err := s.cards().Requests.Get(s.t.Context(), request.EcosystemID,
				request.RequestID); err != nil || decided.Status != cardsmodel.RequestApproved {
				s.t.Errorf("%+v, %v", decided, err)
			}
		}},
		{name: "an expiry", max: 40, tables: cardTables, before: func(s *system) {
			pending(s)
			s.now = s.now.Add(48 * time.Hour)
		}, run: func(s *system) {
			if done, err := s.cards().Requests.Expire(s.flow()); err != nil || done.Expired != 1 {
				s.t.Errorf("%+v, %v", done, err)
			}
		}},
		{name: "a purchase", max: 10, tables: cardTables, before: carded,
			run: func(s *system) { s.move(request, cardsmodel.Purchase, 120) }},
		{name: "a payment that moves the score", max: 12, tables: cardTables, before: func(s *system) {
			carded(s)
			s.move(request, cardsmodel.Purchase, 1000)
			s.now = s.now.Add(time.Minute)
		}, run: func(s *system) { s.move(request, cardsmodel.Payment, 500) }},
		{name: "a minute in which nothing is due", max: 0, tables: cardTables, before: pending,
			run: func(s *system) { s.must(s.cards().Tick(s.flow())) }},
	}
}

// One round trip reads, and one commits.
func TestAPurchaseTakesTwoRoundTrips(t *testing.T) {
	for _, f := range cardsFlows() {
		if f.name != "a purchase" && f.name != "a payment that moves the score" {
			continue
		}
		if cost := measure(t, f); cost.RoundTrips > 2 {
			t.Errorf("%s takes %d round trips:\n%s", f.name, cost.RoundTrips, cost)
		}
	}
}
