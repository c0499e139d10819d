// Package domain owns the value by which a domain joins: what it does about messages, webhook entries, outbox events and the messages
// that it sends, and how it erases. Its HTTP operations, tables, functions and schedules join beside it: CONTRIBUTING.md says where.
package domain

import (
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Domain is what one domain brings. A field that a domain does not need stays empty.
type Domain struct {
	Name string // as in the purpose of its messages
	// Subscriptions react to messages, after those of domains that have joined before.
	Subscriptions []inbound.Subscription
	// Readers read webhook entries that are no messages: payments, template states, and others.
	Readers []webhooklog.Reader
	// Handlers send, settle, pace and replay the domain's own outbox events, by their type: whatever is no WhatsApp message.
	Handlers map[string]outbox.Handler
	// Hook learns how the WhatsApp messages end that the domain has sent.
	Hook *sending.Hook
	// Eraser erases what the domain keeps of a customer. A domain that keeps nothing of customers has none.
	Eraser *erasure.Eraser
}
