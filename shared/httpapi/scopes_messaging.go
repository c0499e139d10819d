package httpapi

// The scopes of messaging.
const (
	InboxRead      = ScopePrefix + "inbox.read"
	InboxWrite     = ScopePrefix + "inbox.write"
	MessagesSend   = ScopePrefix + "messages.send"
	OutboxRead     = ScopePrefix + "outbox.read"
	OutboxReplay   = ScopePrefix + "outbox.replay"
	EventsRead     = ScopePrefix + "events.read"
	EventsReplay   = ScopePrefix + "events.replay"
	CustomersErase = ScopePrefix + "customers.erase"
	AuditRead      = ScopePrefix + "audit.read"
)

var messagingScopes = []Scope{
	{InboxRead, "read conversations and messages", true, []string{operator, auditor, owner}},
	{InboxWrite, "mark and archive conversations", true, []string{operator, owner}},
	{MessagesSend, "send messages", true, []string{operator, owner}},
	{OutboxRead, "read the outbox", true, []string{supervisor, auditor}},
	{OutboxReplay, "send again what failed", false, []string{supervisor}},
	{EventsRead, "read the webhook log", true, []string{supervisor, auditor}},
	{EventsReplay, "have logged events dealt with again", false, []string{administrator}},
	{CustomersErase, "erase a customer's data for good", false, []string{administrator}},
	{AuditRead, "read who erased what, when and why", true, []string{administrator, auditor}},
}
