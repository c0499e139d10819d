package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	shop     = "shop"
	waba     = "102290129340398"
	number   = "106540352242922"
	asha     = "919876543210"
	ashas    = number + ":" + asha
	toAsha   = "/v1/conversations/" + ashas
	sendPath = toAsha + "/messages/text"
)

// open is a shop with one customer, Asha, who wrote a minute ago.
func open(t testing.TB) *world {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA1", "2 kg rice chahiye", minutesAgo(1)))
	return w
}

// equalJSON fails the test unless two JSON texts mean the same.
func equalJSON(t testing.TB, want, got string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

func TestInsideTheWindowATextIsTakenAndShowsAsQueued(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "It is packed.", "previewUrl": true}).Want(t,
		http.StatusAccepted, &taken)
	want := accepted{
		ID: "queued-001", ConversationID: ashas, OutboxEventID: taken.OutboxEventID,
		AcceptedAt: "2026-11-21T12:00:00.000Z", Status: "queued"}
	if diff := cmp.Diff(want, taken); diff != "" {
		t.Error(diff)
	}
	equalJSON(t,
		`{"messaging_product":"whatsapp","recipient_type":"individual","to":"+919876543210","type":"text",`+
			`"text":{"body":"It is packed.","preview_url":true}}`,
		string(w.sendings()[taken.OutboxEventID]))
	var timeline messageList
	w.get(operator(shop), toAsha+"/messages", url.Values{"limit": {"1"}}).Want(t, http.StatusOK, &timeline)
	shown := message{
		ID: "queued-001", ConversationID: ashas, Direction: "outbound", Type: "text", Preview: "It is packed.",
		Text: "It is packed.", To: asha,
		SentBy: "operator-of-shop", ReceivedAt: "2026-11-21T12:00:00.000Z",
		Delivery: &Delivery{Status: "queued", History: []update{}}, OutboxEventID: taken.OutboxEventID,
	}
	if diff := cmp.Diff([]message{shown}, timeline.Items); diff != "" {
		t.Error(diff)
	}
}

func TestOutsideTheWindowATextIsRefusedWithTheRuleAndTheWayOut(t *testing.T) {
	for name, open := range map[string]func(t testing.TB) *world{
		"a day after the customer's last message": func(t testing.TB) *world {
			w := open(t)
			w.now = minutesAgo(1).Add(24 * time.Hour)
			return w
		},
		"to a customer who has never written": func(t testing.TB) *world {
			w := newWorld(t)
			w.ours(shop, number, waba)
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			p := w.post(operator(shop), sendPath, wt.Object{"body": "hello"}).WantProblem(t, http.StatusConflict)
			if p.Type != "urn:haatline:problem:window-closed" {
				t.Errorf("type %q", p.Type)
			}
			for _, word := range []string{"24 hours", "template"} {
				if !strings.Contains(p.Detail, word) {
					t.Errorf("no word of %q: %s", word, p.Detail)
				}
			}
			if len(w.sendings()) != 0 {
				t.Error("it was sent")
			}
		})
	}
}

func TestTheWindowIsOpenToItsLastMillisecond(t *testing.T) {
	w := open(t)
	w.now = minutesAgo(1).Add(24*time.Hour - time.Millisecond)
	w.post(operator(shop), sendPath, wt.Object{"body": "hello"}).Want(t, http.StatusAccepted)
}

func TestATextIsKeptAsSent(t *testing.T) {
	for name, text := range map[string]string{
		"Devanagari":                "नमस्ते, आपका ऑर्डर तैयार है",
		"right to left, with marks": "\u202Eשלום\u202C عرض اليوم ١٢٣",
		"joined emoji":              "👨‍👩‍👧‍👦🏳️‍🌈👍🏽",
		"combining marks":           "e\u0301 ≠ é",
		"null bytes":                "a\u0000b\u0000",
		"control characters":        "a\a\b\t\n\r\u001b\u007f\u2028\u2029",
		"what HTML would change":    `<b>&amp;</b> "quoted" \ /`,
		"white space":               "  two  spaces \n\n ",
		"4,096 characters":          strings.Repeat("x", 4096),
		"4,096 of three bytes":      strings.Repeat("क", 4096),
		"4,096 of four bytes":       strings.Repeat("😀", 4096),
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			var taken accepted
			w.post(operator(shop), sendPath, wt.Object{"body": text}).Want(t, http.StatusAccepted, &taken)
			var request struct{ Text struct{ Body string } }
			if err := json.Unmarshal(w.sendings()[taken.OutboxEventID], &request); err != nil ||
				request.Text.Body != text {
				t.Errorf("sent %q, %v", request.Text.Body, err)
			}
			var shown message
			w.get(operator(shop), "/v1/messages/"+taken.ID, nil).Want(t, http.StatusOK, &shown)
			if shown.Text != text {
				t.Errorf("shown %q", shown.Text)
			}
		})
	}
}

func TestAReplyNamesTheMessageItAnswers(t *testing.T) {
	w := open(t)
	var first, second accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "which rice?"}).Want(t, http.StatusAccepted, &first)
	w.relays(first.OutboxEventID, takes("wamid.OUT1"))
	for _, c := range []struct{ replyTo, wamid string }{
		{"wamid.ASHA1", "wamid.ASHA1"},
		{"wamid.OUT1", "wamid.OUT1"},
		{first.ID, "wamid.OUT1"}, // the id it got when it was accepted
	} {
		w.post(operator(shop), sendPath, wt.Object{"body": "see above", "replyTo": c.replyTo}).Want(t,
			http.StatusAccepted, &second)
		want := `{"messaging_product":"whatsapp","recipient_type":"individual","to":"+919876543210","type":"text",` +
			`"text":{"body":"see above"},` +
			`"context":{"message_id":"` + c.wamid + `"}}`
		equalJSON(t, want, string(w.sendings()[second.OutboxEventID]))
		var shown message
		w.get(operator(shop), "/v1/messages/"+second.ID, nil).Want(t, http.StatusOK, &shown)
		if shown.ReplyTo != c.wamid {
			t.Errorf("shows a reply to %q", shown.ReplyTo)
		}
	}
}

func TestAReplyToWhatIsNotInTheConversationIsRefused(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact("918888888888", "Ravi"),
		wt.Text("918888888888", "wamid.RAVI", "hi", minutesAgo(2)))
	w.ours("other", "700000000000001", "800000000000001")
	w.receives("700000000000001", "800000000000001", wt.Contact(asha, "Asha"),
		wt.Text(asha, "wamid.FOREIGN", "hi", minutesAgo(2)))
	var queued accepted
	w.post(operator(shop), sendPath, wt.Object{"body": "still here"}).Want(t, http.StatusAccepted, &queued)
	var unknown answer
	for i, id := range []string{"wamid.NOBODYS", "wamid.RAVI", "wamid.FOREIGN", queued.ID, "a#b"} {
		got := w.post(operator(shop), sendPath, wt.Object{"body": "see above", "replyTo": id})
		if diff := cmp.Diff([]string{"body.replyTo"}, locations(t, got, http.StatusUnprocessableEntity)); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		if i == 0 {
			unknown = got
		}
		if diff := cmp.Diff(unknown.Body, got.Body); diff != "" {
			t.Errorf("tells %s from what is not there:\n%s", id, diff)
		}
	}
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAUserWithoutAVisibleNumberIsWrittenToByUserID(t *testing.T) {
	const userID = "IN.1234567890"
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Object{"user_id": userID, "profile": wt.Object{"name": "Meena", "username": "meena.m"}},
		wt.Object{"from_user_id": userID, "id": "wamid.M1", "type": "text",
			"timestamp": fmt.Sprint(minutesAgo(1).Unix()), "text": wt.Object{"body": "hi"}})
	var taken accepted
	w.post(operator(shop), "/v1/conversations/"+number+":"+userID+"/messages/text", wt.Object{"body": "hello"}).Want(t,
		http.StatusAccepted, &taken)
	equalJSON(t,
		`{"messaging_product":"whatsapp","recipient_type":"individual","recipient":"IN.1234567890","type":"text",`+
			`"text":{"body":"hello"}}`,
		string(w.sendings()[taken.OutboxEventID]))
}

func TestAGroupIsWrittenToAsAGroup(t *testing.T) {
	const group = "Y2FwaV9ncm91cDox"
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.db.Seed(t, tables.Messages, model.Conversation{
		PK: keys.Conversation(number, group).Partition, ItemType: model.ItemConversation, From: group, GroupID: group,
		InboxPK:    keys.InboxConversations(number),
		ReceivedAt: model.At(minutesAgo(1)), LastMessagePK: "MSG#wamid.G1",
		WindowExpiresAt: model.At(noon.Add(time.Hour)),
	})
	var taken accepted
	w.post(operator(shop), "/v1/conversations/"+number+":"+group+"/messages/text",
		wt.Object{"body": "hello all"}).Want(t, http.StatusAccepted, &taken)
	equalJSON(t,
		`{"messaging_product":"whatsapp","recipient_type":"group","to":"Y2FwaV9ncm91cDox","type":"text",`+
			`"text":{"body":"hello all"}}`,
		string(w.sendings()[taken.OutboxEventID]))
}

func TestAnyIdentifierOfACustomerLeadsToTheirConversation(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Object{"wa_id": asha, "user_id": "IN.77", "profile": wt.Object{"name": "Asha"}},
		wt.Message(asha, "wamid.ASHA2", "text", minutesAgo(1),
			wt.Object{"from_user_id": "IN.77", "text": wt.Object{"body": "me again"}}))
	var taken accepted
	w.post(operator(shop), "/v1/conversations/"+number+":IN.77/messages/text", wt.Object{"body": "hello"}).Want(t,
		http.StatusAccepted, &taken)
	if taken.ConversationID != ashas {
		t.Errorf("went into %s", taken.ConversationID)
	}
	var request struct{ To, Recipient string }
	if err := json.Unmarshal(w.sendings()[taken.OutboxEventID], &request); err != nil || request.To != "+"+asha ||
		request.Recipient != "" {
		t.Errorf("goes to %+v, %v", request, err)
	}
}

// A number that was given up is a stranger's; until the stranger writes, nobody has a conversation under it.
func TestANumberThatWasGivenUpIsWrittenToAsItIs(t *testing.T) {
	const given = "911111111111"
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Object{"user_id": "IN.77"},
		wt.Object{"from_user_id": "IN.77", "id": "wamid.1", "type": "text",
			"timestamp": fmt.Sprint(minutesAgo(9).Unix()), "text": wt.Object{"body": "hi"}})
	w.receives(number, waba, wt.Object{"wa_id": given, "user_id": "IN.77"},
		wt.Message(given, "wamid.2", "text", minutesAgo(8),
			wt.Object{"from_user_id": "IN.77", "text": wt.Object{"body": "my number"}}))
	w.receives(number, waba, wt.Object{"wa_id": given}, wt.Message(given, "wamid.3", "system", minutesAgo(7), wt.Object{
		"system": wt.Object{"type": "user_changed_number", "wa_id": "912222222222", "body": "changed"},
	}))
	var taken accepted
	w.post(operator(shop), "/v1/conversations/"+number+":"+given+"/messages/template",
		wt.Object{"name": "hello_world", "language": "en_US"}).
		Want(t, http.StatusAccepted, &taken)
	var request struct{ To string }
	if err := json.Unmarshal(w.sendings()[taken.OutboxEventID], &request); err != nil || request.To != "+"+given {
		t.Errorf("goes to %q, %v", request.To, err)
	}
}

func TestAMergedConversationIsGoneOnWithInTheOlderOne(t *testing.T) {
	w := open(t)
	merged(w)
	var taken accepted
	w.post(operator(shop), "/v1/conversations/"+number+":IN.77/messages/text", wt.Object{"body": "hello"}).Want(t,
		http.StatusAccepted, &taken)
	if taken.ConversationID != ashas {
		t.Errorf("went into %s", taken.ConversationID)
	}
	w.post(operator(shop), sendPath, wt.Object{"body": "to that", "replyTo": "wamid.YOUNGER"}).Want(t,
		http.StatusAccepted)
	var old conversation
	w.get(operator(shop), "/v1/conversations/"+number+":IN.77", nil).Want(t, http.StatusOK, &old)
	if old.MergedInto != ashas {
		t.Errorf("merged into %q", old.MergedInto)
	}
}

// merged makes one person of Asha and of the conversation under IN.77: a message shows both identifiers.
func merged(w *world) {
	w.t.Helper()
	w.receives(number, waba, wt.Object{"user_id": "IN.77"},
		wt.Object{"from_user_id": "IN.77", "id": "wamid.YOUNGER", "type": "text",
			"timestamp": fmt.Sprint(minutesAgo(1).Unix()), "text": wt.Object{"body": "who am I"}})
	w.receives(number, waba, wt.Object{"wa_id": asha, "user_id": "IN.77", "profile": wt.Object{"name": "Asha"}},
		wt.Message(asha, "wamid.BOTH", "text", minutesAgo(0),
			wt.Object{"from_user_id": "IN.77", "text": wt.Object{"body": "it is me"}}))
}
