package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const asha, ravi = "919876543210", "918888888888"

func TestAMessageOpensAConversationAndTheWindow(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "2 kg rice\nchahiye", 10)
	c := w.conversation(asha)
	if c.UnreadCount != 1 || c.LastPreview != "2 kg rice chahiye" || c.SenderName != "Asha" ||
		c.WABAMetaID != wt.WABA || c.Archived {
		t.Errorf("conversation: %+v", c)
	}
	if want := model.At(ago(10).Add(24 * time.Hour)); c.WindowExpiresAt != want {
		t.Errorf("window until %s, want %s", c.WindowExpiresAt, want)
	}
	m := w.message("wamid.1")
	if m.TextBody != "2 kg rice\nchahiye" || m.Direction != model.Inbound || m.FromPK != asha || m.To != wt.Display ||
		m.ReceivedAt != model.At(ago(10).Add(model.LastInSecond)) || len(m.Content) != 0 {
		t.Errorf("message: %+v", m)
	}
}

func TestALateMessageNeverMovesAConversationBack(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.new", "newer", 5)
	w.says(asha, "wamid.old", "older", 50)
	c := w.conversation(asha)
	if c.LastPreview != "newer" || c.UnreadCount != 2 || c.LastInboundPK != "MSG#wamid.new" ||
		c.WindowExpiresAt != model.At(ago(5).Add(24*time.Hour)) {
		t.Errorf("conversation: %+v", c)
	}
	if got := w.timeline(asha); !slices.Equal(got, []model.MessageID{"wamid.new", "wamid.old"}) {
		t.Errorf("timeline: %v", got)
	}
}

func TestTheSameMessageInAnotherBodyCountsOnce(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "hello", 5)
	contacts := wt.List{wt.Contact(asha, "Asha")}
	if err := w.post(
		wt.Messages(contacts, wt.Text(asha, "wamid.1", "hello", ago(5)),
			wt.Text(asha, "wamid.2", "more", ago(4)))); err != nil {
		t.Fatal(err)
	}
	if c := w.conversation(asha); c.UnreadCount != 2 || c.LastPreview != "more" {
		t.Errorf("%d unread, last %q", c.UnreadCount, c.LastPreview)
	}
}

func TestEchoesAndHistoryNeitherCountAsUnreadNorOpenTheWindow(t *testing.T) {
	w := newFixture(t)
	meta := wt.Object{"phone_number_id": wt.Phone, "display_phone_number": wt.Display}
	echo := wt.Message(wt.Display, "wamid.echo", "text", ago(3),
		wt.Object{"to": asha, "text": wt.Object{"body": "from my phone"}})
	old := wt.Text(ravi, "wamid.in", "long ago", ago(60*24*90))
	mine := wt.Message(wt.Display, "wamid.out", "text", ago(60*24*89),
		wt.Object{"to": ravi, "text": wt.Object{"body": "long ago, too"}})
	err := w.post(
		wt.Change("smb_message_echoes", wt.Object{"metadata": meta, "message_echoes": wt.List{echo}}),
		wt.Change("history",
			wt.Object{"metadata": meta,
				"history": wt.List{
					wt.Object{"threads": wt.List{wt.Object{"id": ravi, "messages": wt.List{old, mine}}}}}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for customer, preview := range map[model.CustomerID]string{asha: "from my phone", ravi: "long ago, too"} {
		if c := w.conversation(customer); c.UnreadCount != 0 || c.WindowExpiresAt != "" || c.LastPreview != preview {
			t.Errorf("%s: %+v", customer, c)
		}
	}
	if m := w.message("wamid.out"); m.Direction != model.Outbound || m.SentBy != "phone_app" || m.SentAt == "" ||
		m.FromPK != "" {
		t.Errorf("history, sent: %+v", m)
	}
	if m := w.message("wamid.in"); m.Direction != model.Inbound || m.WindowExpiresAt != "" {
		t.Errorf("history, received: %+v", m)
	}
}

// The thread of an import names its customer. Its messages may name others, who must not become one person.
func TestAnImportNeverMakesACustomerOfTheBusiness(t *testing.T) {
	for name, display := range map[string]string{
		"its number is said": "+1 555-078-3881", "its number is not said": ""} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			threads := wt.List{}
			for i, customer := range []string{asha, ravi} {
				out := wt.Message(wt.Display, fmt.Sprintf("wamid.out%d", i), "text", ago(9),
					wt.Object{"to": wt.Display, "text": wt.Object{"body": "o"}})
				in := wt.Message(customer, fmt.Sprintf("wamid.in%d", i), "text", ago(8),
					wt.Object{"to": wt.Display, "text": wt.Object{"body": "i"}})
				threads = append(threads, wt.Object{"id": customer, "messages": wt.List{out, in}})
			}
			err := w.post(
				wt.Change("history",
					wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone, "display_phone_number": display},
						"history": wt.List{wt.Object{"threads": threads}}}))
			if err != nil {
				t.Fatal(err)
			}
			if got := w.inbox(); len(got) != 2 || !slices.Contains(got, asha) || !slices.Contains(got, ravi) {
				t.Errorf("inbox: %v", got)
			}
			for id, direction := range map[model.MessageID]model.Direction{
				"wamid.out1": model.Outbound, "wamid.in1": model.Inbound} {
				if m := w.message(id); m.Direction != direction || m.ConversationPK != "CONV#"+wt.Phone+"#"+ravi {
					t.Errorf("%s: %s in %s", id, m.Direction, m.ConversationPK)
				}
			}
		})
	}
}

func TestANumberIsIdentifiedByItsDigits(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "hello", 3)
	w.says("+91 98765-43210", "wamid.2", "again", 2)
	accepted := w.accept("919876543210")
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{asha}) ||
		accepted.ConversationPK != "CONV#"+wt.Phone+"#"+asha {
		t.Errorf("inbox: %v", got)
	}
}

func TestAMessageToAnUnreachableIdentifierIsRefused(t *testing.T) {
	w := newFixture(t)
	for _, customer := range []model.CustomerID{
		"abc", "1", "9198765432101234", "919876543210:x", "GROUP-1", "0919876543210", "919876543210~x", "9198765",
		"US.1~x", "US."} {
		_, err := w.Accept(t.Context(),
			sending.Outgoing{
				Tenant: "demo", Phone: wt.Phone, Customer: customer,
				Content: content.Template{Name: "hello_world", Language: "en_US"}}, idempotency.Request{})
		if !errors.Is(err, sending.ErrUnreachable) {
			t.Errorf("%s: %v", customer, err)
		}
	}
	w.accept("IN.2081978709342942")
}

func TestAGroupHasOneConversation(t *testing.T) {
	w := newFixture(t)
	group := wt.Object{"group_id": "GROUP-1", "text": wt.Object{"body": "hi all"}}
	err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")},
		wt.Message(asha, "wamid.1", "text", ago(2), group), wt.Message(ravi, "wamid.2", "text", ago(1), group)))
	if err != nil {
		t.Fatal(err)
	}
	if c := w.conversation("GROUP-1"); c.UnreadCount != 2 || c.GroupID != "GROUP-1" ||
		c.WindowExpiresAt != model.At(ago(1).Add(24*time.Hour)) {
		t.Errorf("group: %+v", c)
	}
	if m := w.message("wamid.2"); m.GroupID != "GROUP-1" || m.SentAt == "" || m.SenderName != "Ravi" {
		t.Errorf("message: %+v", m)
	}
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{"GROUP-1"}) {
		t.Errorf("inbox: %v", got)
	}
}

func TestIncompleteMessagesAreStoredAndReported(t *testing.T) {
	w := newFixture(t)
	err := w.post(
		wt.Messages(wt.List{wt.Contact(asha, "Asha")},
			wt.Object{"from": asha, "type": "text", "text": wt.Object{"body": "no id"}},
			wt.Object{"id": "wamid.nobody", "type": "text", "text": wt.Object{"body": "no sender"}},
			wt.Text(asha, "wamid.good", "good", ago(1))),
		wt.Change("messages", wt.Object{"messages": wt.List{wt.Text(ravi, "wamid.nophone", "no number", ago(1))}}),
	)
	for _, problem := range []string{
		"messages[0]: no usable id", "messages[1]: no sender", "messages[0]: no phone_number_id"} {
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q is not named in %v", problem, err)
		}
	}
	if c := w.conversation(asha); c.UnreadCount != 2 {
		t.Errorf("%d unread: the good message and the one without an id", c.UnreadCount)
	}
	for _, id := range []model.MessageID{"wamid.nobody", "wamid.nophone"} {
		if m := w.message(id); m.ConversationPK != "" || m.InboxPK != "" || m.TextBody == "" {
			t.Errorf("%s: %+v", id, m)
		}
	}
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{asha}) {
		t.Errorf("inbox: %v", got)
	}
}

func TestAMessageDynamoDBRefusesDoesNotTakeTheOthersWithIt(t *testing.T) {
	w := newFixture(t)
	huge := wt.Message(asha, "wamid.huge", "contacts", ago(3),
		wt.Object{"contacts": wt.List{wt.Object{"note": strings.Repeat("x", 320<<10)}}})
	deep := any("bottom")
	for range 40 {
		deep = wt.Object{"down": deep}
	}
	err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha")}, huge,
		wt.Message(asha, "wamid.deep", "novelty", ago(2), wt.Object{"novelty": deep}),
		wt.Text(asha, "wamid.good", "good", ago(1))))
	if err == nil || !strings.Contains(err.Error(), "over 300 KB") {
		t.Errorf("the huge message is not named: %v", err)
	}
	if c := w.conversation(asha); c.UnreadCount != 3 || c.LastPreview != "good" {
		t.Errorf("conversation: %+v", c)
	}
	if m := w.message("wamid.deep"); !strings.Contains(string(m.Content), `bottom`) {
		t.Errorf("deep content is lost: %.100s", m.Content)
	}
}

func TestMediaIsRecordedOnceAndForSevenDays(t *testing.T) {
	w := newFixture(t)
	photo := wt.Object{
		"image": wt.Object{"id": "media-1", "mime_type": "image/jpeg", "caption": "this", "sha256": "abc"}}
	for _, id := range []string{"wamid.1", "wamid.2"} { // forwarded: the same object twice
		if err := w.post(
			wt.Messages(wt.List{wt.Contact(asha, "Asha")}, wt.Message(asha, id, "image", ago(1), photo))); err != nil {
			t.Fatal(err)
		}
	}
	var media []dynamo.Item
	for _, item := range w.db.Items(t, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemMedia {
			media = append(media, item)
		}
	}
	if len(media) != 1 || dynamo.Text(media[0], "contentType") != "image/jpeg" ||
		dynamo.Int(media[0], "ttl") != noon.Add(7*24*time.Hour).Unix() {
		t.Errorf("media: %v", media)
	}
	if m := w.message("wamid.2"); m.MediaID != "media-1" || m.Caption != "this" || m.MimeType != "image/jpeg" {
		t.Errorf("message: %+v", m)
	}
}

func TestANumberWithoutATenantGoesToTheDefaultTenantOnce(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
	w.says(asha, "wamid.1", "hello", 1)
	owner, err := w.TenantOf(t.Context(), wt.Phone)
	if err != nil || owner != "demo" {
		t.Fatalf("owner %q, %v", owner, err)
	}
	w.set(func(c *messaging.Config) { c.DefaultTenant = "other" })
	w.says(asha, "wamid.2", "again", 1)
	if owner, _ := w.TenantOf(t.Context(), wt.Phone); owner != "demo" {
		t.Errorf("the number passed to %q", owner)
	}
}

func TestANewMessageTakesAConversationOutOfTheArchive(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "hello", 2)
	if err := w.SetArchived(t.Context(), wt.Phone, asha, true); err != nil {
		t.Fatal(err)
	}
	if got := w.inbox(); len(got) != 0 {
		t.Errorf("inbox: %v", got)
	}
	w.says(asha, "wamid.2", "hello?", 1)
	if got := w.inbox(); !slices.Equal(got, []model.CustomerID{asha}) {
		t.Errorf("inbox: %v", got)
	}
}

func TestAFailingReactionDoesNotKeepMessagesFromTheInbox(t *testing.T) {
	for name, c := range map[string]struct {
		err       error
		permanent bool
	}{
		"for good":   {fmt.Errorf("%w: no such order", dynamo.ErrPermanent), true},
		"for a time": {errors.New("throttled"), false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			reached := 0
			all := func(inbound.Message) bool { return true }
			subscriptions := []inbound.Subscription{
				{Domain: "orders", Wants: all,
					React: func(context.Context, inbound.Message) (bool, error) { return false, c.err }},
				{Domain: "khata", Wants: all,
					React: func(context.Context, inbound.Message) (bool, error) { reached++; return false, nil }},
			}
			body := wt.Body(wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")},
				wt.Text(asha, "wamid.1", "one", ago(2)), wt.Text(ravi, "wamid.2", "two", ago(1))))
			entries, err := whatsapp.DecodeWebhook(body)
			if err != nil {
				t.Fatal(err)
			}
			event := model.WebhookEvent{
				EventID: "e1", EventType: entries[0].Kind, PhoneNumberID: wt.Phone, WABAMetaID: wt.WABA,
				ReceivedAt: model.At(noon), Payload: model.Document(entries[0].Value)}
			err = w.MessageReader(subscriptions...).Apply(t.Context(), event)
			if err == nil || dynamo.Permanent(err) != c.permanent || !strings.Contains(err.Error(), "orders") {
				t.Errorf("error %v", err)
			}
			if got := w.inbox(); len(got) != 2 || reached != 2 {
				t.Errorf("inbox %v, the other domain was reached %d times", got, reached)
			}
		})
	}
}

// A message that another sender of the number handles joins the timeline with a mark, and is not unread. No domain
// reacts to it.
func TestStandbyMessagesJoinTheTimelineAndAreNotUnread(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	said := wt.Messages(wt.List{wt.Contact(asha, "Asha")}, wt.Text(asha, "wamid.1", "STOP", ago(5)))
	answered := wt.Messages(nil,
		wt.Message(wt.Display, "wamid.2", "text", ago(4), wt.Object{"to": asha, "text": wt.Object{"body": "yes"}}))
	value := answered["value"].(wt.Object)
	value["message_echoes"] = value["messages"]
	delete(value, "messages")
	read := wt.Statuses(wt.Status("wamid.2", "read", asha, ago(3), nil))
	for _, change := range []wt.Object{said, answered, read} {
		change["field"] = "standby"
		w.posts(change)
	}
	c := w.conversation(asha)
	if c.UnreadCount != 0 || c.WindowExpiresAt == "" || c.OptedOutAt != "" || len(w.timeline(asha)) != 2 {
		t.Errorf("%+v", c)
	}
	if in, out := w.message("wamid.1"), w.message("wamid.2"); !in.Standby || !out.Standby ||
		out.SentBy != "another_sender" || out.DeliveryStatus != model.Read {
		t.Errorf("%+v\n%+v", in, out)
	}
}
