package cost

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// messagingFlows returns what messages, their statuses and sends cost.
func messagingFlows() []flow {
	known := func(s *system) { s.known() }
	return append([]flow{
		{name: "a log entry alone", max: 3, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
		}},
		{name: "an inbound text of a known customer", max: 14, stores: true, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
			s.consume()
		}},
		{name: "an edit of the last message", max: 14, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(nil, wt.Message(customer, wamid(2), "edit", s.now, wt.Object{"edit": wt.Object{
				"original_message_id": wamid(1),
				"message":             wt.Object{"type": "text", "text": wt.Object{"body": "3 kg"}},
			}}))))
			s.consume()
		}},
		{name: "a reaction", max: 11, before: known, run: func(s *system) {
			s.post(wt.Body(
				wt.Messages(nil,
					wt.Message(customer, wamid(2), "reaction", s.now,
						wt.Object{"reaction": wt.Object{"message_id": wamid(1), "emoji": "👍"}}))))
			s.consume()
		}},
		{name: "asking what has changed, where nothing has", before: known, run: func(s *system) {
			s.now = s.now.Add(time.Hour)
			s.asksForChanges()
		}},
		{name: "asking what has changed, where a text has come", before: func(s *system) {
			s.known()
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
			s.consume()
		}, run: func(s *system) { s.asksForChanges() }},
		{name: "gathering the words of 64 texts, into a segment that is nearly full", max: 3 * 64,
			before: func(s *system) {
				for range 5 {
					s.said(80)
					s.gather()
				}
				s.said(64)
			}, run: func(s *system) { s.gather() }},
		{name: "searching, where all is gathered", before: func(s *system) {
			s.said(400)
			s.gather()
		}, run: func(s *system) { s.searches("basmati") }},
		{name: "a group's message", max: 15, tables: communityTables, before: func(s *system) { s.group(1) },
			run: func(s *system) { s.group(2) }},
		{name: "an order of a cart", max: 16, before: known, run: func(s *system) {
			s.post(wt.Body(
				wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
					wt.Message(customer, wamid(2), "order", s.now, wt.Object{"order": wt.Object{
						"catalog_id": "194836987003835", "text": forty, "product_items": wt.List{
							wt.Object{"product_retailer_id": "rice-5kg", "quantity": 2, "item_price": 450,
								"currency": "INR"},
							wt.Object{"product_retailer_id": "salt-1kg", "quantity": "1", "item_price": "28.50",
								"currency": "INR"},
						},
					}}))))
			s.consume()
		}},
		{name: "an event of a known template", max: 8, before: func(s *system) {
			s.post(wt.BodyAt(s.now, wt.TemplateStatus("order_confirmation", "en", "PENDING")))
			s.consume()
			s.now = s.now.Add(time.Minute)
		}, run: func(s *system) {
			s.post(wt.BodyAt(s.now, wt.TemplateStatus("order_confirmation", "en", "APPROVED")))
			s.consume()
		}},
		{name: "a choice about marketing messages", max: 6, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Preference(customer, "stop", s.now)))
			s.consume()
		}},
		{name: "a customer's call that is recorded", max: 24, before: known, run: func(s *system) {
			s.call(
				wt.Calls(wt.Call(callID, customer, "connect", s.now,
					wt.Object{"session": wt.Object{"sdp_type": "offer", "sdp": forty}})),
				wt.Calls(wt.Call(callID, customer, "terminate", s.now.Add(time.Minute), wt.Object{
					"status": "COMPLETED", "start_time": s.now.Unix() + 5, "end_time": s.now.Unix() + 60,
					"duration": 55,
				})),
				wt.Calls(wt.Object{
					"id": callID, "from": customer, "event": "call_recording_available",
					"timestamp": s.now.Unix() + 120, "call_recording": wt.Object{"type": "audio"}}),
			)
		}},
		{name: "a call of the business that is taken", max: 21, before: known, run: func(s *system) {
			s.call(
				wt.CallStatuses(wt.Status(callID, "RINGING", customer, s.now, wt.Object{"type": "call"})),
				wt.CallStatuses(
					wt.Status(callID, "ACCEPTED", customer, s.now.Add(time.Second), wt.Object{"type": "call"})),
				wt.Calls(wt.Call(callID, wt.Display, "terminate", s.now.Add(time.Minute), wt.Object{
					"direction": "BUSINESS_INITIATED", "to": customer, "status": "COMPLETED",
					"start_time": s.now.Unix() + 1, "end_time": s.now.Unix() + 60, "duration": 59,
				})),
			)
		}},
		{name: "an inbound text with one alias to write", max: 18, before: known, run: func(s *system) {
			contact := wt.Contact(customer, "Asha Rao")
			contact["user_id"] = "IN.2081978709342942"
			s.post(wt.Body(wt.Messages(wt.List{contact}, s.text(customer, 2))))
			s.consume()
		}},
		{name: "an inbound text of a new customer", max: 17, before: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact("918888888888", "Ravi")}, s.text("918888888888", 3))))
			s.consume()
		}, run: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
			s.consume()
		}},
		{name: "a redelivery", max: 1, before: known, run: func(s *system) {
			s.now = noon
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 1))))
		}},
		{name: "a status", max: 8, before: func(s *system) {
			s.known()
			s.deliver(s.accept().OutboxEventID)
		}, run: func(s *system) { s.status("sent", "") }},
		{name: "an outbound text with its three statuses", max: 52, stores: true, before: known, run: func(s *system) {
			s.sentAndRead(false)
		}},
		{name: "a quiet notice with its three statuses", max: 51, stores: true, before: known, run: func(s *system) {
			s.sentAndRead(true)
		}},
		{name: "twenty templates accepted one by one", max: 260, run: func(s *system) {
			for i := range 20 {
				_, err := s.rooms().Accept(s.flow(), sending.Outgoing{
					Tenant: "demo", Phone: wt.Phone, Customer: recipient(i).To, SentBy: "0192-user", Quiet: true,
					Content: content.Template{Name: "offer", Language: "en",
						Body: []content.TemplateParameter{{Text: "Asha Rao"}}},
				}, idempotency.Request{})
				s.must(err)
			}
		}},
		// Beside this, a message of a campaign costs one unit when it is sent: its row in gsi_campaign.
		{name: "a campaign of twenty handed over", max: 300, tables: paced, before: func(s *system) { s.campaign() },
			run: func(s *system) {
				run := s.rooms().Campaigns.Handlers()[campaigns.EventRun]
				_, err := run.Send(s.flow(), model.OutboxEvent{
					EventType: campaigns.EventRun,
					Payload:   model.Document(fmt.Sprintf(`{"campaign":%q,"run":1}`, s.campaigned))})
				s.must(err)
			}},
		{name: "a conversation marked as read", max: 10, before: known, run: func(s *system) {
			s.must(s.rooms().MarkRead(s.flow(), "demo", wt.Phone, customer))
		}},
		{name: "a body with 100 messages of 20 known customers", max: 742, before: func(s *system) {
			s.hundred(20, 0)
			s.now = s.now.Add(time.Minute)
		}, run: func(s *system) { s.hundred(100, 1000) }},
	}, append(subscriptionFlows(), teamFlows()...)...)
}

// hundred posts one body with messages of twenty customers.
func (s *system) hundred(messages, first int) {
	contacts, list := wt.List{}, []map[string]any{}
	for i := range 20 {
		contacts = append(contacts, wt.Contact(fmt.Sprintf("9198765432%02d", i), "Asha Rao"))
	}
	for i := range messages {
		list = append(list, s.text(fmt.Sprintf("9198765432%02d", i%20), first+i))
	}
	s.post(wt.Body(wt.Messages(contacts, list...)))
	s.consume()
}

const waGroup = "120363041234567890"

// group posts a message into a group.
func (s *system) group(n int) {
	s.post(wt.Body(
		wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, wt.Message(customer, wamid(n), "text", s.now, wt.Object{
			"group_id": waGroup, "text": wt.Object{"body": forty},
		}))))
	s.consume()
	s.now = s.now.Add(time.Minute)
}

const callID = "wacid.HBgMOTE5ODc2NTQzMjEwFQIAEhggMUEyQjNDNEQ1RTZGNzA4"

// call posts the events of a call, one by one.
func (s *system) call(events ...wt.Object) {
	for _, event := range events {
		s.post(wt.Body(event))
		s.consume()
		s.now = s.now.Add(time.Minute)
	}
}

// paced are the tables of a campaign beside those of messaging.
var paced = []tables.Table{tables.RateLimits}

func recipient(i int) model.CampaignRecipient {
	return model.CampaignRecipient{
		To: model.CustomerID(fmt.Sprintf("9198765432%02d", i)), Values: []string{"Asha Rao"}}
}

// campaign starts a campaign with twenty recipients.
func (s *system) campaign() {
	number := model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA}
	s.db.Seed(s.t, tables.Messages, number)
	request, err := idempotency.NewRequest(idempotency.API, "demo", "0192-user", "create-campaign", "k1", "body")
	s.must(err)
	c, err := s.rooms().Campaigns.Create(s.flow(), number, "0192-user", campaigns.Facts{
		Name: "Diwali", Variants: []model.Document{campaigns.Variant(content.Template{
			Name: "offer", Language: "en", Body: []content.TemplateParameter{{Text: "{{name}}"}}})}}, request)
	s.must(err)
	list := campaigns.List{ID: "list-1", Source: "file", Columns: []string{"name"}}
	for i := range 20 {
		list.Recipients = append(list.Recipients, recipient(i))
	}
	_, err = s.rooms().Campaigns.Add(s.flow(), c, list)
	s.must(err)
	c, err = s.rooms().Campaigns.Get(s.flow(), c.CampaignID)
	s.must(err)
	c, err = s.rooms().Campaigns.Start(s.flow(), c)
	s.must(err)
	s.campaigned = c.CampaignID
}

// words returns a text about rice with eight words that no other text has, so that little of it can be compressed.
func words(n int) string {
	random := rand.New(rand.NewPCG(uint64(n), 28))
	text := "basmati"
	for range 8 {
		text += " " + strconv.FormatUint(random.Uint64()>>40, 36)
	}
	return text
}

// said stores as many texts as a number gets in some minutes, of 40 customers.
func (s *system) said(n int) {
	for range n {
		s.sent++
		s.now = s.now.Add(3 * time.Second)
		who := model.CustomerID(fmt.Sprintf("9198765%05d", s.sent%40))
		conversation := keys.Conversation(wt.Phone, who).Partition
		s.db.Seed(s.t, tables.Messages, model.Message{
			PK: keys.Message(model.MessageID(wamid(s.sent))).Partition, ItemType: model.ItemMessage,
			Direction: model.Inbound, ReceivedAt: model.At(s.now), ConversationPK: conversation,
			InboxPK: keys.InboxMessages(wt.Phone), Type: "text", TextBody: words(s.sent),
		}, model.Conversation{
			PK: conversation, ItemType: model.ItemConversation, From: string(who), SenderName: fmt.Sprint("Asha ", who),
			InboxPK: keys.InboxConversations(wt.Phone), ReceivedAt: model.At(s.now)})
	}
	s.now = s.now.Add(time.Hour)
}

func (s *system) gather() { s.must(s.rooms().Search.Gather(s.flow(), wt.Phone)) }

func (s *system) searches(text string) {
	query, err := search.Parse(text)
	s.must(err)
	found, err := s.rooms().Search.Find(s.flow(),
		search.Ask{Query: query, Phones: []model.PhoneNumberID{wt.Phone}, Limit: 20})
	s.must(err)
	if len(found.Items) != 20 || !found.Complete {
		s.t.Errorf("%d results", len(found.Items))
	}
}

// asksForChanges asks as an open page does that last asked three seconds ago.
func (s *system) asksForChanges() {
	after := model.At(s.now.Add(-3 * time.Second))
	changes, err := s.rooms().ChangedSince(s.flow(), []model.PhoneNumberID{wt.Phone}, after)
	s.must(err)
	_, err = s.rooms().LastMessages(s.flow(), changes.Conversations)
	s.must(err)
}
