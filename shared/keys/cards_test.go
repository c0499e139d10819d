package keys

import "github.com/haatline/haatline/shared/tables"

func init() {
	holds(tables.CardUsers, map[string]Key{
		"CardUser": CardUser("{user}"), "CardProgram": CardProgram("{tenant}"),
		"CardFirebase": CardFirebase("{tenant}", "{uid}"),
		"CardPhone":    CardPhone("{tenant}", "{identifier}"),
	})
	holds(tables.CardScores, map[string]Key{"CardScore": CardScore("{user}", "{at}#{score}")})
	holds(tables.Cards, map[string]Key{"Card": Card("{user}", "{card}")})
	holds(tables.CardRequests, map[string]Key{"CardRequest": CardRequest("{user}", "{request}")})
	holds(tables.CardTransactions, map[string]Key{
		"CardTransaction": CardTransaction("{user}", "{card}", "{transaction}")})
	holds(tables.CardIdempotency, map[string]Key{"CardIdempotency": CardIdempotency("{user}", "{hash}")})
	holds(tables.WhatsAppNotifications, map[string]Key{"Notification": Notification("{id}")})
	holds(tables.WhatsAppInbound, map[string]Key{
		"InboundCommand": InboundCommand("{message}"), "AdminHelp": AdminHelp("{tenant}", "{admin}")})
	holds(tables.PendingApprovals, map[string]Key{
		"Approval": Approval("{request}"), "RequestCode": RequestCode("{tenant}", "{code}")})
}
