package inbound

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

func TestWhatACustomerSaysIsReadWithoutWhatsAppsJSON(t *testing.T) {
	base := model.Message{
		PK: "MSG#wamid.1", ConversationPK: "CONV#106540352242922#919876543210", ReceivedAt: "2026-11-21T10:00:00.999Z",
		Arrival: 7}
	want := Message{
		Channel: model.ChannelWhatsApp, Business: "106540352242922", Person: "919876543210",
		Phone: "106540352242922", Customer: "919876543210", Customers: []model.CustomerID{"919876543210", "IN.7"},
		ID: "wamid.1",
		At: "2026-11-21T10:00:00.999Z", Place: model.OrderOf("2026-11-21T10:00:00.999Z", 7), Live: true,
	}
	for name, c := range map[string]struct {
		kind, content string
		change        func(stored *model.Message, want *Message)
	}{
		"a text": {"text", ``, func(m *model.Message, w *Message) { m.TextBody, w.Text = "2 kg rice", "2 kg rice" }},
		"a photo with a caption": {"image", `{"image":{"id":"1"}}`, func(m *model.Message, w *Message) {
			m.Caption, w.Caption = "this one", "this one"
		}},
		"a button of an interactive message": {
			"interactive",
			`{"interactive":{"type":"button_reply","button_reply":{"id":"approve-7","title":"Approve"}}}`,
			func(_ *model.Message, w *Message) {
				w.Choice = &Choice{Kind: ChoiceButton, ID: "approve-7", Title: "Approve"}
			}},
		"a row of a list": {
			"interactive",
			`{"interactive":{"type":"list_reply","list_reply":{"id":"r1","title":"Basmati","description":"1 kg"}}}`,
			func(_ *model.Message, w *Message) {
				w.Choice = &Choice{Kind: ChoiceList, ID: "r1", Title: "Basmati", Description: "1 kg"}
			}},
		"a flow": {"interactive",
			`{"interactive":{"type":"nfm_reply","nfm_reply":{"name":"flow","body":"Sent",` +
				`"response_json":"{\"pin\":560001}"}}}`,
			func(_ *model.Message, w *Message) {
				w.Choice = &Choice{
					Kind: ChoiceFlow, ID: "flow", Title: "Sent", Answers: json.RawMessage(`{"pin":560001}`)}
			}},
		"a flow that nobody can read": {
			"interactive", `{"interactive":{"type":"nfm_reply","nfm_reply":{"response_json":"{"}}}`,
			func(*model.Message, *Message) {}},
		"a quick reply of a template": {
			"button", `{"button":{"payload":"stop","text":"Stop"}}`, func(_ *model.Message, w *Message) {
				w.Choice = &Choice{Kind: ChoiceQuickReply, ID: "stop", Title: "Stop"}
			}},
		"an order": {
			"order", `{"order":{"catalog_id":"c1","text":"quick please",` +
				`"product_items":[{"product_retailer_id":"rice","quantity":2,"item_price":120.5,"currency":"INR"},` +
				`{"product_retailer_id":"tea","quantity":"1","item_price":"90","currency":"INR"},` +
				`{"product_retailer_id":"?","quantity":"many"}]}}`,
			func(_ *model.Message, w *Message) {
				w.Cart = &Cart{
					CatalogID: "c1", Text: "quick please",
					Lines: []Line{{"rice", 2, "120.5", "INR"}, {"tea", 1, "90", "INR"}, {RetailerID: "?"}}}
			}},
		"an order of too many lines": {
			"order", `{"order":{"product_items":[` +
				strings.Repeat(`{"product_retailer_id":"rice","quantity":2},`, MaxLines) +
				`{"product_retailer_id":"tea"}]}}`,
			func(_ *model.Message, w *Message) {
				w.Cart = &Cart{TooLong: true, Lines: slices.Repeat([]Line{{RetailerID: "rice", Quantity: 2}}, MaxLines)}
			}},
		"an answer": {"text", ``, func(m *model.Message, w *Message) {
			m.Context, w.InReplyTo = model.Document(`{"id":"wamid.0","from":"15550001"}`), "wamid.0"
		}},
		"a deletion": {
			"revoke", `{"revoke":{"original_message_id":"wamid.0"}}`,
			func(_ *model.Message, w *Message) { w.Retracts = "wamid.0" }},
		"an edit": {
			"edit", `{"edit":{"original_message_id":"wamid.0"}}`,
			func(_ *model.Message, w *Message) { w.Retracts = "wamid.0" }},
		"an unknown kind": {"hologram", `{"hologram":{"id":"1"}}`, func(*model.Message, *Message) {}},
	} {
		t.Run(name, func(t *testing.T) {
			stored, want := base, want
			stored.Type, stored.Content, want.Kind = c.kind, model.Document(c.content), c.kind
			c.change(&stored, &want)
			if diff := cmp.Diff(want, Of(stored, want.Customers, true),
				cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Tenant" || p.String() == "Purpose" },
					cmp.Ignore())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSubscriptionsReactInOrderUntilOneClaims(t *testing.T) {
	later := errors.New("throttled")
	for name, c := range map[string]struct {
		first    Subscription
		seen     []string
		refused  int
		tryAgain bool
	}{
		"nobody claims":    {Subscription{Claims: true}, []string{"first", "second"}, 0, false},
		"the first claims": {claiming(true, nil), []string{"first"}, 0, false},
		"it claims and may not": {
			Subscription{React: claiming(true, nil).React}, []string{"first", "second"}, 0, false},
		"it fails for good": {
			claiming(false, fmt.Errorf("%w: no order", dynamo.ErrPermanent)), []string{"first", "second"}, 1, false},
		"it fails for now, and may claim": {claiming(false, later), []string{"first"}, 0, true},
		"it fails for now": {
			Subscription{React: claiming(false, later).React}, []string{"first", "second"}, 0, true},
		"it does not want it": {
			Subscription{Claims: true, Wants: func(Message) bool { return false }}, []string{"second"}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			note := func(name string, s Subscription) Subscription {
				react := s.React
				s.Domain, s.React = name, func(ctx context.Context, m Message) (bool, error) {
					seen = append(seen, name)
					if react == nil {
						return false, nil
					}
					return react(ctx, m)
				}
				if s.Wants == nil {
					s.Wants = func(Message) bool { return true }
				}
				return s
			}
			refused, again := Dispatch(t.Context(), []Message{{ID: "wamid.1", Channel: model.ChannelWhatsApp}},
				[]Subscription{note("first", c.first), note("second", Subscription{})})
			if !slices.Equal(seen, c.seen) || len(refused) != c.refused || (again != nil) != c.tryAgain {
				t.Errorf("seen by %v, refused %v, %v", seen, refused, again)
			}
		})
	}
}

// A domain that knows one channel does not get what comes by another: a command by SMS is no command.
func TestADomainGetsTheMessagesOfItsChannels(t *testing.T) {
	for name, c := range map[string]struct {
		hears   []model.Channel
		channel model.Channel
		gets    bool
	}{
		"WhatsApp, by itself":        {nil, model.ChannelWhatsApp, true},
		"SMS, without asking for it": {nil, model.ChannelSMS, false},
		"SMS":                        {[]model.Channel{model.ChannelSMS, model.ChannelEmail}, model.ChannelSMS, true},
		"WhatsApp, of an SMS domain": {[]model.Channel{model.ChannelSMS}, model.ChannelWhatsApp, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := false
			_, err := Dispatch(t.Context(), []Message{{Channel: c.channel}}, []Subscription{{
				Channels: c.hears, Wants: func(Message) bool { return true },
				React: func(context.Context, Message) (bool, error) { got = true; return false, nil },
			}})
			if err != nil || got != c.gets {
				t.Errorf("it gets it: %v, %v", got, err)
			}
		})
	}
}

func claiming(claimed bool, err error) Subscription {
	return Subscription{Claims: true, React: func(context.Context, Message) (bool, error) { return claimed, err }}
}
