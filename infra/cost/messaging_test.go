package cost

import (
	"fmt"
	"time"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// messagingFlows returns what messages, their statuses and sends cost.
func messagingFlows() []flow {
	known := func(s *system) { s.known() }
	return []flow{
		{name: "a log entry alone", max: 3, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
		}},
		{name: "an inbound text of a known customer", max: 14, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")}, s.text(customer, 2))))
			s.consume()
		}},
		{name: "an edit of the last message", max: 12, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(nil, wt.Message(customer, wamid(2), "edit", s.now, wt.Object{"edit": wt.Object{
				"original_message_id": wamid(1), "message": wt.Object{"type": "text", "text": wt.Object{"body": "3 kg"}},
			}}))))
			s.consume()
		}},
		{name: "a reaction", max: 9, before: known, run: func(s *system) {
			s.post(wt.Body(wt.Messages(nil, wt.Message(customer, wamid(2), "reaction", s.now, wt.Object{"reaction": wt.Object{"message_id": wamid(1), "emoji": "👍"}}))))
			s.consume()
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
		{name: "an outbound text with its three statuses", max: 66, before: known, run: func(s *system) {
			accepted := s.accept()
			s.deliver(accepted.OutboxEventID)
			for _, status := range []string{"sent", "delivered", "read"} {
				s.status(status, accepted.OutboxEventID+".YD5MR3BXKQHKQ2UQ7C3L5Z6NWA")
			}
		}},
		{name: "a conversation marked as read", max: 10, before: known, run: func(s *system) {
			s.must(s.store().MarkRead(s.flow(), "demo", wt.Phone, customer))
		}},
		{name: "a body with 100 messages of 20 known customers", max: 742, before: func(s *system) {
			s.hundred(20, 0)
			s.now = s.now.Add(time.Minute)
		}, run: func(s *system) { s.hundred(100, 1000) }},
	}
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
