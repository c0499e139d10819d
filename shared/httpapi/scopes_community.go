package httpapi

// The scopes of communities, for operators. People of communities have sessions.
const (
	CommunityRead   = ScopePrefix + "community.read"
	CommunityManage = ScopePrefix + "community.manage"
)

var communityScopes = []Scope{
	{CommunityRead, "read the settings of communities, and find their people", []string{operator, auditor}},
	{CommunityManage, "set up communities, and disable their people", []string{administrator}},
}
