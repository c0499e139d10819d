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
		Partition: key{"pk", String},
		TTL:       "ExpiresAt",
		Recovery:  durable,
	}
	Communities = Table{
		ID: "Communities", name: "community-communities",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			{Name: IndexCommunityLocations, Partition: key{"locationPk", String}, Sort: key{"locationSk", String},
				Projection: ProjectAll},
			{Name: IndexCommunityMembers, Partition: key{"memberPk", String},
				Sort: key{"pk", String}, Projection: ProjectKeys},
			{Name: IndexCommunityGroupChats, Partition: key{"groupChatPk", String}, Sort: key{"pk", String},
				Projection: ProjectKeys},
		},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	CommunityNotifications = Table{
		ID: "CommunityNotifications", name: "community-notifications",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	GroupChats = Table{
		ID: "GroupChats", name: "community-group-chats",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			{Name: IndexGroupChatsOf, Partition: key{"memberPk", String},
				Sort: key{"pk", String}, Projection: ProjectKeys}},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	PrivateChats = Table{
		ID: "PrivateChats", name: "community-private-chats",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			{Name: IndexPrivateChatsOf, Partition: key{"memberPk", String},
				Sort: key{"pk", String}, Projection: ProjectKeys}},
		TTL:      "ExpiresAt",
		Recovery: durable,
	}
	ChatRequests = Table{
		ID: "ChatRequests", name: "community-chat-requests",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			{Name: IndexPendingChatRequests, Partition: key{"pk", String}, Sort: key{"PendingId", String},
				Projection: ProjectAll}},
		Recovery: durable,
	}
)

func init() {
	register(
		&CommunityUsers, &Communities, &CommunityNotifications, &GroupChats, &PrivateChats, &ChatRequests)
}
