package messagingapi

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// The parts of a message beside its text are shown by name. If one cannot be used, the reason is shown.
func TestAMessageShowsWhatItHoldsBesideText(t *testing.T) {
	w := open(t)
	messages := map[string]struct {
		message wt.Object
		want    message
	}{
		"forwarded": {
			wt.Object{"type": "text", "text": wt.Object{"body": "hi"}, "context": wt.Object{"forwarded": true}},
			message{Forwarded: &forwarded{}}},
		"forwarded-often": {
			wt.Object{"type": "text", "text": wt.Object{"body": "hi"},
				"context": wt.Object{"frequently_forwarded": true}}, message{Forwarded: &forwarded{ManyTimes: true}},
		},
		"about-a-product": {
			wt.Object{"type": "text", "text": wt.Object{"body": "hi"},
				"context": wt.Object{
					"id": "wamid.0", "referred_product": wt.Object{"catalog_id": "1", "product_retailer_id": "tea"}}},
			message{ReplyTo: "wamid.0", Source: &source{Kind: "product", CatalogID: "1", ProductID: "tea"}},
		},
		"from-an-ad": {
			wt.Object{"type": "text", "text": wt.Object{"body": "hi"},
				"referral": wt.Object{"source_type": "ad", "source_id": 12, "ctwa_clid": "click", "headline": "Tea"}},
			message{Source: &source{Kind: "ad", ID: "12", ClickID: "click", Headline: "Tea"}},
		},
		"order": {
			wt.Object{"type": "order", "order": wt.Object{"catalog_id": "1", "text": "soon", "product_items": wt.List{
				wt.Object{"product_retailer_id": "tea", "quantity": 3, "item_price": 30.1, "currency": "INR"},
				wt.Object{"product_retailer_id": "rice", "quantity": "1", "item_price": "120.50", "currency": "INR"},
			}}},
			message{Order: &cart{
				CatalogID: "1", Text: "soon", Total: "210.8", Currency: "INR",
				Lines: []cartLine{{"tea", 3, "30.1", "INR"}, {"rice", 1, "120.50", "INR"}}}},
		},
		"order-without-prices": {
			wt.Object{"type": "order",
				"order": wt.Object{"product_items": wt.List{wt.Object{"product_retailer_id": "tea", "quantity": 3}}}},
			message{Order: &cart{Lines: []cartLine{{ProductID: "tea", Quantity: 3}}}, Errors: []problem{{Code: -1}}},
		},
		"form": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type": "nfm_reply", "nfm_reply": wt.Object{"name": "flow", "response_json": `{"pin":560001}`}}},
			message{Form: &form{Name: "flow", Answers: map[string]any{"pin": 560001.0}}},
		},
		"form-that-nobody-can-read": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type": "nfm_reply", "nfm_reply": wt.Object{"name": "flow", "response_json": `[1]`}}},
			message{Errors: []problem{{Code: -1}}},
		},
		"call-permission": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type":                  "call_permission_reply",
					"call_permission_reply": wt.Object{"response": "accept", "expiration_timestamp": 1795262400}}},
			message{CallPermission: &callPermission{Granted: true, ExpiresAt: "2026-11-21T12:00:00.000Z"}},
		},
		"permanent-call-permission": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type":                  "call_permission_reply",
					"call_permission_reply": wt.Object{"response": "accept", "is_permanent": true}}},
			message{CallPermission: &callPermission{Granted: true, Permanent: true}},
		},
		"button": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type": "button_reply", "button_reply": wt.Object{"id": "b-1", "title": "Yes"}}},
			message{Choice: &chosen{Kind: "button", ID: "b-1", Title: "Yes"}},
		},
		"row": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type":       "list_reply",
					"list_reply": wt.Object{"id": "r-1", "title": "Basmati", "description": "5 kg"}}},
			message{Choice: &chosen{Kind: "list", ID: "r-1", Title: "Basmati", Description: "5 kg"}},
		},
		"quick-reply": {
			wt.Object{"type": "button", "button": wt.Object{"payload": "p-1", "text": "Call me"}},
			message{Choice: &chosen{Kind: "quick_reply", ID: "p-1", Title: "Call me"}},
		},
		"no-call-permission": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{
					"type": "call_permission_reply", "call_permission_reply": wt.Object{"response": "reject"}}},
			message{CallPermission: &callPermission{}},
		},
		"payment-method": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{"type": "payment_method", "payment_method": wt.Object{
					"payment_method": "offsite_card_pay", "reference_id": "R1", "credential_id": 1234567,
					"last_four_digits": "5235", "payment_timestamp": "1795262400",
				}}},
			message{PaymentMethod: &paymentMethod{
				Method: "offsite_card_pay", ReferenceID: "R1", CredentialID: "1234567", LastFourDigits: "5235",
				ChosenAt: "2026-11-21T12:00:00.000Z"}},
		},
		"payment-method-without-anything": {
			wt.Object{"type": "interactive",
				"interactive": wt.Object{"type": "payment_method", "payment_method": wt.Object{}}},
			message{PaymentMethod: &paymentMethod{}},
		},
		"interactive-with-nothing": {wt.Object{"type": "interactive"}, message{}},
	}
	for name, c := range messages {
		t.Run(name, func(t *testing.T) {
			body := wt.Message(asha, "wamid."+name, "", noon, c.message)
			w.receives(number, waba, wt.Contact(asha, "Asha"), body)
			var m message
			w.get(operator(shop), "/v1/messages/wamid."+name, nil).Want(t, http.StatusOK, &m)
			got := message{
				Forwarded: m.Forwarded, Source: m.Source, Order: m.Order, Form: m.Form, ReplyTo: m.ReplyTo,
				CallPermission: m.CallPermission, PaymentMethod: m.PaymentMethod, Choice: m.Choice}
			for _, p := range m.Errors {
				got.Errors = append(got.Errors, problem{Code: p.Code})
				if p.Meaning == "" || p.Action == "" {
					t.Errorf("%+v", p)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" || m.Preview == "" || m.Preview == "[interactive]" {
				text, _ := json.Marshal(m)
				t.Errorf("%s\n%s", diff, text)
			}
		})
	}
}

func TestAGroupsMessageShowsWhichMembersHaveIt(t *testing.T) {
	at := model.At(noon)
	got := receiptsOf([]model.StatusUpdate{
		{Status: "sent", Timestamp: at}, {Status: "read", Timestamp: at, Participant: "1"},
		{Status: "delivered", Timestamp: at, Participant: "1"},
		{Status: "delivered", Timestamp: at, Participant: "2"}, {Status: "failed", Timestamp: at, Participant: "3"},
	})
	want := &memberReceipts{
		Delivered: 2, Read: 1,
		Members: []memberReceipt{
			{"1", "read", string(at)}, {"2", "delivered", string(at)}, {"3", "failed", string(at)}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := receiptsOf([]model.StatusUpdate{{Status: "read", Timestamp: at}}); got != nil {
		t.Errorf("not of a group: %+v", got)
	}
}

// A change that waited under a message's id, and came to another business's number, is not shown.
func TestWhatCameToAnotherBusinessIsNotShown(t *testing.T) {
	m := model.Message{
		PK: "MSG#wamid.1", ConversationPK: "CONV#106540352242922#919876543210",
		Reactions: []model.Reaction{
			{Emoji: "👎", MessagePK: "MSG#a", Phone: "700000000000009"},
			{Emoji: "👍", MessagePK: "MSG#b", Phone: "106540352242922", By: []model.CustomerID{"919876543210"}}},
		Versions: []model.Version{{Kind: model.VersionRevoke, MessagePK: "MSG#c", Phone: "700000000000009"}},
	}
	if shown := showMessage(m); len(shown.Reactions) != 1 || shown.Reactions[0].Emoji != "👍" ||
		len(showVersions(m)) > 0 {
		t.Errorf("%+v, %+v", shown.Reactions, showVersions(m))
	}
}
