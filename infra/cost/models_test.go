package cost

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/prompt"
	shopasking "github.com/haatline/haatline/shared/commerce/asking"
	shop "github.com/haatline/haatline/shared/commerce/assistant"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/conversations/asking"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// salaries is a model that answers with the one entry of the list.
type salaries struct{}

func (salaries) Ask(context.Context, prompt.Prompt) (prompt.Decision, error) {
	return prompt.Decision{
		Call: assistant.Call{Name: prompt.AnswerTool, Arguments: json.RawMessage(`{"action":"answer",` +
			`"reply":"It is ₹18000 a month.","sources":["salary"],"asks":null,"values":{}}`)},
		Usage: assistant.Usage{PromptTokens: 1400, CompletionTokens: 60, Took: 2 * time.Second}}, nil
}

// packets is a model that reads that two packets are wanted.
type packets struct{}

func (packets) Ask(context.Context, prompt.Prompt) (prompt.Decision, error) {
	return prompt.Decision{
		Call: assistant.Call{Name: "read", Arguments: json.RawMessage(`{"action":"order","lines":[` +
			`{"thing":null,"product":"PROD-RICE0001","quantity":"2 packet"}]}`)},
		Usage: assistant.Usage{PromptTokens: 900, CompletionTokens: 40, Took: time.Second}}, nil
}

// shopAsksModel has the model read what the shop has not understood.
func (s *system) shopAsksModel() {
	s.t.Helper()
	allowed, err := models.Parse("openai:gpt-4o-mini")
	s.must(err)
	d := s.commerce()
	relay := s.relay()
	relay.Lane = keys.LaneModel
	relay.Handlers = (&shopasking.Asking{
		DB: s.client, Now: s.rooms().Now, Shop: d.Assistant, Orders: d.Orders, Models: allowed,
		Clients: map[string]models.Client{
			models.OpenAI: func(models.Question) prompt.Model { return packets{} }},
		DayLimit: decimal.NewFromInt(5), Log: slog.New(slog.DiscardHandler),
	}).Handlers()
	s.delivers(relay, shop.AskType)
	var session commercemodel.Session
	s.must(dynamo.Unmarshal(s.db.Items(s.t, tables.Sessions)[0], &session))
	if b := session.Context.CurrentOrder; b == nil || len(b.Lines) != 1 || b.Lines[0].Article != "PROD-RICE0001" {
		s.t.Errorf("the basket is %+v", b)
	}
}

// delivers has a relay do the events of a type.
func (s *system) delivers(relay *outbox.Relay, kind string) {
	s.t.Helper()
	for _, item := range s.db.Items(s.t, tables.Outbox) {
		if dynamo.Text(item, "eventType") == kind && dynamo.Text(item, "status") == string(model.OutboxPending) {
			event, err := relay.Get(s.flow(), dynamo.Text(item, "eventId"))
			s.must(err)
			s.must(relay.Deliver(s.flow(), event))
		}
	}
}

// modelled gives the project a language model, and has the person write.
func (s *system) modelled() {
	s.t.Helper()
	s.assistedBy(`{"assistant":"openai","model":"gpt-4o-mini","limits":{"day":{"usd":2},"conversation":{"tokens":50000}}}`)
	s.replied(600)
}

// asksModel has the slow lane queue the question, and the model answer it.
func (s *system) asksModel() {
	s.t.Helper()
	d := s.conversations()
	before := s.talk().Entries
	answers := answering.New(conversations.Name, d.Talks, d.Replies, registry.Lookups(s.rooms()), d.Outbox)
	allowed, err := models.Parse("openai:gpt-4o-mini")
	s.must(err)
	asks := &asking.Asking{
		DB: s.client, Now: s.rooms().Now, Answers: answers, Models: allowed, Log: slog.New(slog.DiscardHandler),
		Functions: &calling.Calling{Companies: d.Companies},
		Clients: map[string]models.Client{
			models.OpenAI: func(models.Question) prompt.Model { return salaries{} }},
	}
	for _, kind := range []string{turns.EventType, turns.AskType} {
		relay := s.relay()
		relay.Lane, relay.Handlers = keys.LaneSlow, answers.Handlers()
		if kind == turns.AskType {
			relay.Lane, relay.Handlers = keys.LaneModel, asks.Handlers()
		}
		s.delivers(relay, kind)
	}
	if c := s.talk(); c.Entries != before+1 || c.HandOffToHuman {
		s.t.Errorf("the turn leaves %+v", c)
	}
}
