package keys

import (
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// The forms of the keys of the community tables. USERNAME, EMAIL, PHONE, SESSION, CODE, SETTINGS, BLOCK, TENANT, NAME,
// INVITE, REPORT, CHANGE, VERSION, REACTION, BRIDGE, WHATSAPPGROUP, GUEST, MIRRORED, FILE, DIGEST, DIGESTS, DUE,
// DRAFT and PICTURE are additions. An email address and an emoji may have a #, so their hashes are in the keys.
var (
	communityUser     = Pattern{"USER", []string{"USER", "{userId}"}}
	username          = Pattern{"USERNAME", []string{"USERNAME", "{tenantId}", "{username}"}}
	emailOfUser       = Pattern{"EMAIL", []string{"EMAIL", "{tenantId}", "{hash}"}}
	phoneOfUser       = Pattern{"PHONE", []string{"PHONE", "{tenantId}", "{hash}"}}
	signIn            = Pattern{"SESSION", []string{"SESSION", "{sessionId}"}}
	accessCode        = Pattern{"CODE", []string{"CODE", "{purpose}", "{tenantId}", "{hash}"}}
	communitySettings = Pattern{"SETTINGS", []string{"SETTINGS", "{tenantId}"}}

	community       = Pattern{"COMMUNITY", []string{"COMMUNITY", "{communityId}"}}
	country         = Pattern{"COUNTRY", []string{"COUNTRY", "{country}"}}
	communitiesOf   = Pattern{"TENANT", []string{"TENANT", "{tenantId}"}}
	communityName   = Pattern{"NAME", []string{"NAME", "{name}", "{communityId}"}}
	communityInvite = Pattern{"INVITE", []string{"INVITE", "{hash}"}}
	bridges         = Pattern{"BRIDGE", []string{"BRIDGE", "{phoneNumberId}"}}
	whatsAppGroup   = Pattern{"WHATSAPPGROUP", []string{"WHATSAPPGROUP", "{groupId}"}}
	communityReport = Pattern{"REPORT", []string{"REPORT", "{at}", "{reportId}"}}

	groupChat       = Pattern{"GROUPCHAT", []string{"GROUPCHAT", "{groupChatId}"}}
	privateChat     = Pattern{"PRIVATECHAT", []string{"PRIVATECHAT", "{privateChatId}"}}
	chatMessage     = Pattern{"MESSAGE", []string{"MESSAGE", "{at}", "{messageId}"}}
	chatChange      = Pattern{"CHANGE", []string{"CHANGE", "{at}", "{messageId}"}}
	messageVersion  = Pattern{"VERSION", []string{"VERSION", "{messageId}", "{number}"}}
	messageReaction = Pattern{"REACTION", []string{"REACTION", "{messageId}", "{userId}", "{hash}"}}
	chatGuest       = Pattern{"GUEST", []string{"GUEST", "{guestId}"}}
	mirrored        = Pattern{"MIRRORED", []string{"MIRRORED", "{messageId}"}}
	chatFile        = Pattern{"FILE", []string{"FILE", "{fileId}"}}

	unreadNotification = Pattern{"NOTIFICATION", []string{"NOTIFICATION", "UNREAD", "{at}", "{notificationId}"}}
	readNotification   = Pattern{"NOTIFICATIONREAD", []string{"NOTIFICATIONREAD", "{at}", "{notificationId}"}}
	digest             = Pattern{"DIGEST", []string{"DIGEST"}}
	digests            = Pattern{"DIGESTS", []string{"DIGESTS", "{shard}"}}
	digestDue          = Pattern{"DUE", []string{"DUE", "{at}", "{userId}"}}
	pictureFile        = Pattern{"PICTURE", []string{"PICTURE", "{pictureId}"}}
	queuedDraft        = Pattern{"DRAFT", []string{"DRAFT", "{chatId}", "{number}"}}
	chatRequest        = Pattern{"CHATREQUEST", []string{"CHATREQUEST", "{at}", "{requestId}"}}
)

// Beginnings of the sort keys of the community tables.
const (
	CommunityMembers    = "USER#"
	CommunityGroupChats = "GROUPCHAT#"
	CommunityInvites    = "INVITE#"
	CommunityReports    = "REPORT#"
	CommunityNames      = "NAME#"
	ChatMembers         = "USER#"
	ChatMessages        = "MESSAGE#"
	ChatChanges         = "CHANGE#"
	ChatFiles           = "FILE#"
	UploadedPictures    = "PICTURE#"
	UnreadNotifications = "NOTIFICATION#UNREAD#"
	ReadNotifications   = "NOTIFICATIONREAD#"
)

// SK names the sort key of the community tables.
const SK = "sk"

func pksk(partition, sort string) Key {
	return Key{PartitionName: PK, Partition: partition, SortName: SK, Sort: sort}
}

// CommunityUser returns the key of a person of communities.
func CommunityUser(user model.Name) Key { return ByPK(communityUser.with(string(user))) }

// Username returns the key of the item by which a name is one person's of a tenant.
func Username(tenant model.TenantID, folded model.Name) Key {
	return ByPK(username.with(string(tenant), string(folded)))
}

// EmailOfUser returns the key of the item by which an address is one person's of a tenant.
func EmailOfUser(tenant model.TenantID, address string) Key {
	return ByPK(emailOfUser.with(string(tenant), shortHash(address)))
}

// PhoneOfUser returns the key of the item by which a phone number in E.164 is one person's of a tenant.
func PhoneOfUser(tenant model.TenantID, number string) Key {
	return ByPK(phoneOfUser.with(string(tenant), shortHash(number)))
}

// SignIn returns the key of the session that a person of communities has signed in to.
func SignIn(id model.Name) Key { return ByPK(signIn.with(string(id))) }

// AccessCode returns the key of a code that was sent to an address for a purpose.
func AccessCode(purpose model.Name, tenant model.TenantID, address string) Key {
	return ByPK(accessCode.with(string(purpose), string(tenant), shortHash(address)))
}

// CommunitySettings returns the key of a tenant's settings for its communities.
func CommunitySettings(tenant model.TenantID) Key {
	return ByPK(communitySettings.with(string(tenant)))
}

// Community returns the key of a community.
func Community(id model.Name) Key {
	partition := community.with(string(id))
	return pksk(partition, partition)
}

// CommunityIn returns the id of the community of a partition.
func CommunityIn(partition string) model.Name {
	ids, is := community.ids(partition)
	if !is {
		return ""
	}
	return model.Name(ids[0])
}

// CommunityMember returns the key of somebody's membership of a community.
func CommunityMember(community, user model.Name) Key {
	return pksk(Community(community).Partition, communityUser.with(string(user)))
}

// CommunityGroupChat returns the key of the item that says that a group chat belongs to a community.
func CommunityGroupChat(community, chat model.Name) Key {
	return pksk(Community(community).Partition, groupChat.with(string(chat)))
}

// CommunityInvite returns the key of an invitation to a community, by the hash of its secret.
func CommunityInvite(community, hash model.Name) Key {
	return pksk(Community(community).Partition, communityInvite.with(string(hash)))
}

// CommunityReport returns the key of a report of a message in a community.
func CommunityReport(community model.Name, at model.Time, report model.Name) Key {
	return pksk(Community(community).Partition, communityReport.with(string(at), string(report)))
}

// CommunityName returns the key of the item by which a tenant's communities are listed by name.
func CommunityName(tenant model.TenantID, folded, id model.Name) Key {
	return pksk(communitiesOf.with(string(tenant)), communityName.with(string(folded), string(id)))
}

// BridgeOf returns the key of the bridge between a WhatsApp group of a number and a group chat.
func BridgeOf(phone model.PhoneNumberID, group model.Name) Key {
	return pksk(bridges.with(string(phone)), whatsAppGroup.with(string(group)))
}

// BridgedChat returns the key of the item that says that a group chat was once bridged to a group of a number.
func BridgedChat(phone model.PhoneNumberID, chat model.Name) Key {
	return pksk(bridges.with(string(phone)), groupChat.with(string(chat)))
}

// CommunityCountry returns the partition of the communities of a country, in the index of locations.
func CommunityCountry(name model.Name) string { return country.with(string(name)) }

// CommunityCity returns the sort key of the communities of a city, in the index of locations. The contract has no #
// behind CITY. Without a city it begins the keys of all cities of a state.
func CommunityCity(state, city model.Name) string {
	return "STATE#" + string(state) + "#CITY" + string(city)
}

// GroupChat returns the key of a group chat.
func GroupChat(id model.Name) Key {
	partition := groupChat.with(string(id))
	return pksk(partition, partition)
}

// PrivateChat returns the key of a private chat.
func PrivateChat(id model.Name) Key {
	partition := privateChat.with(string(id))
	return pksk(partition, partition)
}

// PrivateChatID returns the id of the private chat of two people, whichever is named first.
func PrivateChatID(one, other model.Name) model.Name {
	if other < one {
		one, other = other, one
	}
	return model.Name(shortHash(string(one) + "#" + string(other)))
}

// inChat returns the key of an item of the chat with a key.
func inChat(chat Key, sort string) Key { return pksk(chat.Partition, sort) }

// ChatMember returns the key of somebody's membership of a chat.
func ChatMember(chat Key, user model.Name) Key { return inChat(chat, communityUser.with(string(user))) }

// ChatMessage returns the key of a message of a chat.
func ChatMessage(chat Key, at model.Time, message model.Name) Key {
	return inChat(chat, chatMessage.with(string(at), string(message)))
}

// ChatChange returns the key of the item that says that a message has changed after it was written.
func ChatChange(chat Key, at model.Time, message model.Name) Key {
	return inChat(chat, chatChange.with(string(at), string(message)))
}

// MessageVersion returns the key of a former version of a message. The number has fixed width.
func MessageVersion(chat Key, message, number model.Name) Key {
	return inChat(chat, messageVersion.with(string(message), string(number)))
}

// MessageVersions begins the sort keys of the former versions of a message.
func MessageVersions(message model.Name) string { return "VERSION#" + string(message) + "#" }

// MessageReaction returns the key of somebody's reaction to a message by an emoji.
func MessageReaction(chat Key, message, user model.Name, emoji string) Key {
	return inChat(chat, messageReaction.with(string(message), string(user), shortHash(emoji)))
}

// MessageReactions begins the sort keys of the reactions to a message.
func MessageReactions(message model.Name) string { return "REACTION#" + string(message) + "#" }

// ChatGuest returns the key of somebody who writes in a chat from outside.
func ChatGuest(chat Key, guest model.Name) Key { return inChat(chat, chatGuest.with(string(guest))) }

// GuestID returns the id of a participant of a WhatsApp group of a number, by one of their identifiers there.
func GuestID(phone model.PhoneNumberID, identifier model.CustomerID) model.Name {
	return model.Name(guestIDs + shortHash(string(phone)+"#"+string(identifier)))
}

// guestIDs begins the ids of guests. Ids of people are UUIDs.
const guestIDs = "guest-"

// IsGuestID reports whether an id is that of a guest.
func IsGuestID(id model.Name) bool {
	return strings.HasPrefix(string(id), guestIDs) && len(id) == len(guestIDs)+32
}

// MirroredMessage returns the key of the item that leads from a message of a WhatsApp group to its copy in a chat.
func MirroredMessage(chat Key, message model.MessageID) Key {
	return inChat(chat, mirrored.with(string(message)))
}

// ChatFile returns the key of the record of a file that was uploaded for a chat.
func ChatFile(chat Key, file model.Name) Key { return inChat(chat, chatFile.with(string(file))) }

// UnreadNotification returns the key of a notification that somebody has not read.
func UnreadNotification(user model.Name, at model.Time, id model.Name) Key {
	return pksk(communityUser.with(string(user)), unreadNotification.with(string(at), string(id)))
}

// ReadNotification returns the key of a notification that somebody has read.
func ReadNotification(user model.Name, at model.Time, id model.Name) Key {
	return pksk(communityUser.with(string(user)), readNotification.with(string(at), string(id)))
}

// Digest returns the key of what somebody has chosen about the daily digest.
func Digest(user model.Name) Key { return pksk(communityUser.with(string(user)), digest.with()) }

// DigestShards is the number of partitions of who gets a digest. They are read side by side.
const DigestShards = 4

// DigestShard returns the partition of a shard of who gets a digest.
func DigestShard(n int) string { return digests.with(string(rune('0' + n))) }

// DigestDue returns the key of the item by which somebody is found whose digest is due at an instant.
func DigestDue(user model.Name, at model.Time) Key {
	shard := DigestShard(int(hashOf(string(user))[0]) % DigestShards)
	return pksk(shard, digestDue.with(string(at), string(user)))
}

// DigestOf returns whose digest is due, and since when, by the sort key of such an item.
func DigestOf(sort string) (at model.Time, user model.Name) {
	ids, is := digestDue.ids(sort)
	if !is {
		return "", ""
	}
	return model.Time(ids[0]), model.Name(ids[1])
}

// DigestsUntil follows the sort keys of all that is due until an instant.
func DigestsUntil(at model.Time) string { return "DUE#" + string(at) + "$" }

// QueuedDraft returns the key of what somebody has written in a chat and that waits to be posted. The number, which has
// fixed width, is that of its event in the outbox: so the order of the keys is the order in which they were queued.
func QueuedDraft(user, chat model.Name, number int64) Key {
	return pksk(communityUser.with(string(user)), queuedDraft.with(string(chat), fmt.Sprintf("%010d", number)))
}

// QueuedDrafts begins the sort keys of what somebody has written in a chat and that waits to be posted.
func QueuedDrafts(chat model.Name) string { return "DRAFT#" + string(chat) + "#" }

// PictureOfUser returns the key of the record of a picture that a person has uploaded for themself.
func PictureOfUser(user, picture model.Name) Key {
	return pksk(communityUser.with(string(user)), pictureFile.with(string(picture)))
}

// PictureOfCommunity returns the key of the record of a picture that was uploaded for a community.
func PictureOfCommunity(community, picture model.Name) Key {
	return pksk(Community(community).Partition, pictureFile.with(string(picture)))
}

// RequestOfUser returns the key of a chat request on the side of who asks.
func RequestOfUser(user model.Name, at model.Time, request model.Name) Key {
	return pksk(communityUser.with(string(user)), chatRequest.with(string(at), string(request)))
}

// RequestOfChat returns the key of a chat request on the side of the group chat.
func RequestOfChat(chat model.Name, at model.Time, request model.Name) Key {
	return pksk(groupChat.with(string(chat)), chatRequest.with(string(at), string(request)))
}
