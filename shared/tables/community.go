package tables

// The six tables of the community contract, which names neither tables nor key attributes. The two inverted indexes are
// sparse and have attributes of their own, so that a member is not copied into the index of group chats.
var (
	CommunityUsers = Table{
		ID: "CommunityUsers", name: "community-users",
		Partition: s("pk"),
		Recovery:  durable, Unused: true,
	}
	Communities = Table{
		ID: "Communities", name: "community-communities",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: "CommunityLocationIndex", Partition: s("locationPk"), Sort: s("locationSk"), Projection: ProjectAll},
			{Name: "CommunityMembersIndex", Partition: s("memberPk"), Sort: s("pk"), Projection: ProjectKeys},
			{Name: "CommunityGroupChatsIndex", Partition: s("groupChatPk"), Sort: s("pk"), Projection: ProjectKeys},
		},
		Recovery: durable, Unused: true,
	}
	CommunityNotifications = Table{
		ID: "CommunityNotifications", name: "community-notifications",
		Partition: s("pk"), Sort: s("sk"),
		Recovery: durable, Unused: true,
	}
	GroupChats = Table{
		ID: "GroupChats", name: "community-group-chats",
		Partition: s("pk"), Sort: s("sk"),
		Recovery: durable, Unused: true,
	}
	PrivateChats = Table{
		ID: "PrivateChats", name: "community-private-chats",
		Partition: s("pk"), Sort: s("sk"),
		Recovery: durable, Unused: true,
	}
	ChatRequests = Table{
		ID: "ChatRequests", name: "community-chat-requests",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			{Name: "ChatRequestsPendingIndex", Partition: s("pk"), Sort: s("PendingId"), Projection: ProjectAll}},
		Recovery: durable, Unused: true,
	}
)

func init() {
	register(
		&CommunityUsers, &Communities, &CommunityNotifications, &GroupChats, &PrivateChats, &ChatRequests)
}
