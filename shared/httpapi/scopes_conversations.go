package httpapi

// The scopes of conversations.
const (
	ConversationsRead   = ScopePrefix + "conversations.read"
	ConversationsSend   = ScopePrefix + "conversations.send"
	ConversationsManage = ScopePrefix + "conversations.manage"
)

var conversationsScopes = []Scope{
	{ConversationsRead, "read companies, projects, and their conversations", []string{operator, auditor, owner}},
	{ConversationsSend, "begin conversations, answer in them, end them, and hand them over",
		[]string{operator, owner}},
	{ConversationsManage, "change companies and projects", []string{administrator, owner}},
}
