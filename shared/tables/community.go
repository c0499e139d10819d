package tables

// Names of the indexes of the community contract. IndexGroupChatsOf and IndexPrivateChatsOf are additions: a person's
// chats are a list.
const (
	IndexCommunityLocations  = "CommunityLocationIndex"
	IndexCommunityMembers    = "CommunityMembersIndex"
	IndexCommunityGroupChats = "CommunityGroupChatsIndex"
	IndexPendingChatRequests = "ChatRequestsPendingIndex"
	IndexGroupChatsOf        = "GroupChatMembersIndex"
	IndexPrivateChatsOf      = "PrivateChatMembersIndex"
)

// The six tables of the community contract, which names neither tables nor key attributes. The inverted indexes are
// sparse and have attributes of their own, so that a member is not copied into the index of group chats.
var (
	CommunityUsers = Table{
		ID: "CommunityUsers", name: "community-users",
		Partition: s("pk"),
		TTL:       "ExpiresAt",
		Recovery:  durable,
	}
	Communities = Table{
		ID: "Communities", name: "community-communities",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: IndexCommunityLocations, Partition: s("locationPk"), Sort: s("locationSk"),
				Projection: ProjectAll},
			{Name: IndexCommunityMembers, Partition: s("memberPk"), Sort: s("pk"), Projection: ProjectKeys},
			{Name: IndexCommunityGroupChats, Partition: s("groupChatPk"), Sort: s("pk"), Projection: ProjectKeys},
		},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	CommunityNotifications = Table{
		ID: "CommunityNotifications", name: "community-notifications",
		Partition: s("pk"), Sort: s("sk"),
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	GroupChats = Table{
		ID: "GroupChats", name: "community-group-chats",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: IndexGroupChatsOf, Partition: s("memberPk"), Sort: s("pk"), Projection: ProjectKeys}},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	PrivateChats = Table{
		ID: "PrivateChats", name: "community-private-chats",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: IndexPrivateChatsOf, Partition: s("memberPk"), Sort: s("pk"), Projection: ProjectKeys}},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	ChatRequests = Table{
		ID: "ChatRequests", name: "community-chat-requests",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: IndexPendingChatRequests, Partition: s("pk"), Sort: s("PendingId"), Projection: ProjectAll}},
		Recovery: durable,
	}
)

func init() {
	register(
		&CommunityUsers, &Communities, &CommunityNotifications, &GroupChats, &PrivateChats, &ChatRequests)
}
