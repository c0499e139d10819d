package doctor_test

import (
	"maps"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// attribute is a text or a number in DynamoDB's JSON.
func attribute(kind, value string) map[string]string { return map[string]string{kind: value} }

// holdsMore puts an item into a table beside those that are there.
func (w *fixture) holdsMore(table tables.Table, key keys.Key, item map[string]any) {
	held := w.aws.Tables[table.Name(tables.Prod)]
	held.Items = maps.Clone(held.Items)
	if held.Items == nil {
		held.Items = map[string]map[string]any{}
	}
	held.Items[key.Partition] = item
	w.aws.Tables[table.Name(tables.Prod)] = held
}

// runsCards gives the number to a tenant with a program, whose one admin writes Hindi.
func runsCards(w *fixture) {
	w.holdsMore(tables.Messages, keys.Phone(model.PhoneNumberID(phone)),
		map[string]any{"tenantId": attribute("S", "acme"), "wabaMetaId": attribute("S", "102290129340398")})
	w.holdsMore(tables.CardUsers, keys.CardProgram("acme"), map[string]any{
		"tenantId": attribute("S", "acme"), "version": attribute("N", "1"), "phoneNumberId": attribute("S", phone),
		"language": attribute("S", "en"),
		"admins": map[string]any{"L": []any{map[string]any{"M": map[string]any{
			"id": attribute("S", "ravi"), "phone": attribute("S", "+919811111111"), "language": attribute("S", "hi"),
		}}}},
	})
}

// passesOn gives a number to another person.
func (w *fixture) passesOn(number model.CustomerID) {
	owner := func(key string, since model.Order) map[string]any {
		return map[string]any{
			"M": map[string]any{"customerId": attribute("S", key), "since": attribute("S", string(since))}}
	}
	alias := keys.Alias(phone, number)
	w.holdsMore(tables.Messages, alias, map[string]any{
		alias.PartitionName: attribute("S", alias.Partition),
		"owners": map[string]any{
			"L": []any{owner(string(number), ""),
				owner(string(number)+"~1", model.OrderOf("2026-11-20T12:00:00.000Z", 0))}},
	})
}

func TestACardProgramIsExamined(t *testing.T) {
	const about = "cards of acme"
	with := func(more func(*fixture)) func(*fixture) {
		return func(w *fixture) {
			runsCards(w)
			more(w)
		}
	}
	for _, c := range []trouble{
		{"none", func(*fixture) {}, nil, []string{"ok       cards: no tenant has a program"}, true},
		{"as it should be", runsCards, nil, []string{"ok       " + about + ": 1 admins, all templates approved"}, true},
		{"no admins", with(func(w *fixture) {
			delete(w.aws.Tables[tables.CardUsers.Name(tables.Prod)].Items[keys.CardProgram("acme").Partition], "admins")
		}), nil, []string{"warning  " + about + ": nobody can decide by WhatsApp", "PUT /v1/cards/program"}, true},
		{"an admin who has opted out", with(func(w *fixture) {
			w.holdsMore(tables.Messages, keys.Conversation(phone, "919811111111"),
				map[string]any{"optedOutAt": attribute("S", "2026-11-21T12:00:00.000Z")})
		}), nil, []string{"warning  " + about + ": the admin ravi has opted out", "START"}, true},
		{"an admin whose number has passed on", with(func(w *fixture) {
			w.passesOn("919811111111")
		}), nil, []string{
			"warning  " + about + ": the number of the admin ravi has passed to somebody else", "admins/ravi/confirm"},
			true},
		{"an admin who was not reached", with(func(w *fixture) {
			w.holdsMore(tables.WhatsAppNotifications, keys.Notification("n1"), map[string]any{
				"notificationId": attribute("S", "n1"), "deliveryStatus": attribute("S", "failed"),
				"lastError": attribute("S", "131026 undeliverable"),
			})
		}), nil, []string{
			"warning  " + about + ": the last message to the admin ravi failed: 131026 undeliverable", "resend"}, true},
		{"another's number", with(func(w *fixture) {
			w.aws.Tables[tables.CardUsers.Name(tables.Prod)].Items[keys.CardProgram("acme").
				Partition]["phoneNumberId"] = attribute("S", "700000000000001")
		}), nil, []string{"MISSING  " + about + ": the program's number is not the tenant's"}, false},
	} {
		t.Run(c.name, c.run)
	}
}
