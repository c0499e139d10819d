package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const templating = toAsha + "/messages/template"

func TestATemplateIsFilledInAsWhatsAppWantsIt(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"nothing to fill in": {
			`{"name":"hello_world","language":"en_US"}`,
			`{"name":"hello_world","language":{"code":"en_US"}}`,
		},
		"a text header, a body by position, all kinds of buttons": {
			`{"name":"offer","language":"hi","header":{"type":"text","text":"दिवाली"},"body":[{"text":"Asha"},` +
				`{"text":"₹450"}],` +
				`"buttons":[{"index":0,"type":"quick_reply","value":"yes:17"},{"index":1,"type":"url",` +
				`"value":"orders/17"},{"index":2,"type":"copy_code","value":"DIWALI20"}]}`,
			`{"name":"offer","language":{"code":"hi"},"components":[` +
				`{"type":"header","parameters":[{"type":"text","text":"दिवाली"}]},` +
				`{"type":"body","parameters":[{"type":"text","text":"Asha"},{"type":"text","text":"₹450"}]},` +
				`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload",` +
				`"payload":"yes:17"}]},` +
				`{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text","text":"orders/17"}]},` +
				`{"type":"button","sub_type":"copy_code","index":2,"parameters":[{"type":"coupon_code",` +
				`"coupon_code":"DIWALI20"}]}]}`,
		},
		"variables by name": {
			`{"name":"offer","language":"en","header":{"type":"text","name":"shop","text":"Kirana"},` +
				`"body":[{"name":"who","text":"Asha"}]}`,
			`{"name":"offer","language":{"code":"en"},"components":[` +
				`{"type":"header","parameters":[{"type":"text","parameter_name":"shop","text":"Kirana"}]},` +
				`{"type":"body","parameters":[{"type":"text","parameter_name":"who","text":"Asha"}]}]}`,
		},
		"an image by its id": {
			`{"name":"offer","language":"en","header":{"type":"image","metaId":"1166846181421424"}}`,
			`{"name":"offer","language":{"code":"en"},"components":[{"type":"header","parameters":[{"type":"image",` +
				`"image":{"id":"1166846181421424"}}]}]}`,
		},
		"a document by its link, with its name": {
			`{"name":"bill","language":"en","header":{"type":"document",` +
				`"link":"https://files.example.com/17.pdf?a=1&b=2","filename":"Bill 17.pdf"}}`,
			`{"name":"bill","language":{"code":"en"},"components":[{"type":"header","parameters":[` +
				`{"type":"document","document":{"link":"https://files.example.com/17.pdf?a=1&b=2","filename":"Bill ` +
				`17.pdf"}}]}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			var taken accepted
			w.do(request{By: operator(shop), Method: http.MethodPost, Path: templating, Body: c.body}).Want(t,
				http.StatusAccepted, &taken)
			equalJSON(t,
				`{"messaging_product":"whatsapp","recipient_type":"individual","to":"+919876543210",`+
					`"type":"template","template":`+c.want+`}`,
				string(w.sendings()[taken.OutboxEventID]))
		})
	}
}

func TestATemplateOpensAConversationWithACustomerNeverSeen(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	var taken accepted
	w.post(operator(shop), templating, wt.Object{"name": "hello_world", "language": "en_US"}).Want(t,
		http.StatusAccepted, &taken)
	var list conversationList
	w.get(operator(shop), "/v1/conversations", nil).Want(t, http.StatusOK, &list)
	want := []conversation{{
		ID: ashas, PhoneNumberID: number, CustomerID: asha, Address: asha, ReceivedAt: "2026-11-21T12:00:00.000Z",
		State: "open",
		LastMessage: &lastMessage{
			ID: taken.ID, Type: "template", Preview: "📋 hello_world", Direction: "outbound", Status: "queued",
			At: "2026-11-21T12:00:00.000Z", SentBy: "operator-of-" + shop,
		},
	}}
	if diff := cmp.Diff(want, list.Items); diff != "" {
		t.Error(diff)
	}
	w.post(operator(shop), sendPath, wt.Object{"body": "and a text"}).WantProblem(t, http.StatusConflict)
	w.post(operator(shop), toAsha+"/read", nil).Want(t, http.StatusNoContent)
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events: there was nothing to send a receipt for", n)
	}
}

func TestATemplateMayAnswerAMessage(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), templating,
		wt.Object{"name": "hello_world", "language": "en_US", "replyTo": "wamid.ASHA1"}).Want(t, http.StatusAccepted,
		&taken)
	if body := string(w.sendings()[taken.OutboxEventID]); !strings.Contains(body,
		`"context":{"message_id":"wamid.ASHA1"}`) {
		t.Error(body)
	}
	w.post(operator(shop), templating,
		wt.Object{"name": "hello_world", "language": "en_US", "replyTo": "wamid.NOBODYS"}).WantProblem(t,
		http.StatusUnprocessableEntity)
}

func TestTheSystemsOwnTemplatesAreCheckedBeforeTheyAreSent(t *testing.T) {
	w := open(t)
	w.rooms.Join(domain.Part{
		Name:      "approvals",
		Templates: []whatsapp.OwnTemplate{{Name: "approval_request", Languages: []string{"en"}, Body: 3, Replies: 2}}})
	texts := func(n int) []wt.Object {
		list := []wt.Object{}
		for range n {
			list = append(list, wt.Object{"text": "x"})
		}
		return list
	}
	for name, c := range map[string]struct {
		body wt.Object
		want string
	}{
		"too few variables": {
			wt.Object{"name": "order_confirmation", "language": "en", "body": texts(2)}, "body.body"},
		"too many variables": {
			wt.Object{"name": "order_confirmation", "language": "hi", "body": texts(4)}, "body.body"},
		"none": {wt.Object{"name": "approval_request", "language": "en"}, "body.body"},
		"a button there is not": {
			wt.Object{"name": "approval_request", "language": "en", "body": texts(3),
				"buttons": []wt.Object{{"index": 2, "type": "quick_reply", "value": "x"}}}, "body.buttons",
		},
		"a button where none are": {
			wt.Object{"name": "order_confirmation", "language": "en", "body": texts(3),
				"buttons": []wt.Object{{"index": 0, "type": "quick_reply", "value": "x"}}}, "body.buttons",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := locations(t, w.post(operator(shop), templating, c.body), http.StatusUnprocessableEntity)
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	w.post(operator(shop), templating,
		wt.Object{"name": "order_confirmation", "language": "en", "body": texts(3)}).Want(t, http.StatusAccepted)
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events", n)
	}
}
