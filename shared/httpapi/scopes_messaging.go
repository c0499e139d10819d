package httpapi

// The scopes of messaging.
const (
	InboxRead       = ScopePrefix + "inbox.read"
	InboxWrite      = ScopePrefix + "inbox.write"
	MessagesSend    = ScopePrefix + "messages.send"
	OutboxRead      = ScopePrefix + "outbox.read"
	OutboxReplay    = ScopePrefix + "outbox.replay"
	EventsRead      = ScopePrefix + "events.read"
	EventsReplay    = ScopePrefix + "events.replay"
	EventsPurge     = ScopePrefix + "events.purge"
	CustomersErase  = ScopePrefix + "customers.erase"
	AuditRead       = ScopePrefix + "audit.read"
	CampaignsManage = ScopePrefix + "campaigns.manage"
	PaymentsRefund  = ScopePrefix + "payments.refund"
	TenantsManage   = ScopePrefix + "tenants.manage"
	PlatformManage  = ScopePrefix + "platform.manage"
)

var messagingScopes = []Scope{
	{InboxRead, "read conversations and messages", []string{operator, auditor, owner}},
	{InboxWrite, "mark and archive conversations, and block people", []string{operator, owner}},
	{MessagesSend, "send messages", []string{operator, owner}},
	{OutboxRead, "read the outbox", []string{supervisor, auditor}},
	{OutboxReplay, "send again what failed", []string{supervisor}},
	{EventsRead, "read the webhook log", []string{supervisor, auditor}},
	{EventsReplay, "have logged events dealt with again", []string{administrator}},
	{EventsPurge, "remove logged events before their time", []string{administrator}},
	{CustomersErase, "export a customer's data, and erase it for good", []string{administrator}},
	{CampaignsManage, "plan, send and stop campaigns", []string{supervisor, owner}},
	{PaymentsRefund, "give money of paid orders back to customers", []string{administrator}},
	{TenantsManage, "set what a tenant is called, how it sends by SMS, and who works for it", []string{administrator}},
	{PlatformManage, "create and disable tenants, and set what holds for all of them", []string{Platform}},
	{AuditRead, "read who erased what, when and why", []string{administrator, auditor}},
}
