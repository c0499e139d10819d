package keys

import (
	"testing"

	"github.com/haatline/haatline/shared/tables"
)

func init() {
	holds(tables.CommunityUsers, map[string]Key{
		"CommunityUser": CommunityUser("{user}"), "Username": Username("{tenant}", "{username}"),
		"EmailOfUser": hashed(EmailOfUser("{tenant}", "a@b.co")), "SignIn": SignIn("{session}"),
		"PhoneOfUser":       hashed(PhoneOfUser("{tenant}", "+919876543210")),
		"AccessCode":        hashed(AccessCode("{purpose}", "{tenant}", "a@b.co")),
		"CommunitySettings": CommunitySettings("{tenant}"),
	})
	holds(tables.Communities, map[string]Key{
		"Community": Community("{community}"), "CommunityMember": CommunityMember("{community}", "{user}"),
		"CommunityGroupChat": CommunityGroupChat("{community}", "{chat}"),
		"CommunityInvite":    CommunityInvite("{community}", "{hash}"),
		"CommunityReport":    CommunityReport("{community}", "{at}", "{report}"),
		"CommunityName":      CommunityName("{tenant}", "{name}", "{community}"),
		"PictureOfCommunity": PictureOfCommunity("{community}", "{picture}"),
		"BridgeOf":           BridgeOf("{phone}", "{whatsAppGroup}"), "BridgedChat": BridgedChat("{phone}", "{chat}"),
	})
	group := GroupChat("{chat}")
	holds(tables.GroupChats, map[string]Key{
		"GroupChat": group, "ChatMember": ChatMember(group, "{user}"),
		"ChatMessage":     ChatMessage(group, "{at}", "{message}"),
		"ChatChange":      ChatChange(group, "{at}", "{message}"),
		"ChatFile":        ChatFile(group, "{file}"),
		"MessageVersion":  MessageVersion(group, "{message}", "{number}"),
		"MessageReaction": hashed(MessageReaction(group, "{message}", "{user}", "👍")),
		"ChatGuest":       ChatGuest(group, "{guest}"), "MirroredMessage": MirroredMessage(group, "{whatsAppMessage}"),
	})
	holds(tables.PrivateChats, map[string]Key{"PrivateChat": PrivateChat("{chat}")})
	holds(tables.CommunityNotifications, map[string]Key{
		"UnreadNotification": UnreadNotification("{user}", "{at}", "{id}"),
		"ReadNotification":   ReadNotification("{user}", "{at}", "{id}"),
		"Digest":             Digest("{user}"),
		"DigestDue":          DigestDue("{user}", "{at}"),
		"PictureOfUser":      PictureOfUser("{user}", "{picture}"),
		"QueuedDraft":        QueuedDraft("{user}", "{chat}", 1),
	})
	holds(tables.ChatRequests, map[string]Key{
		"RequestOfUser": RequestOfUser("{user}", "{at}", "{request}"),
		"RequestOfChat": RequestOfChat("{chat}", "{at}", "{request}"),
	})
}

// hashed returns a key whose hashes are ids in braces.
func hashed(key Key) Key {
	for _, text := range []*string{&key.Partition, &key.Sort} {
		parts := form(*text).Parts
		for i, part := range parts {
			if len(part) == 32 {
				parts[i] = "{hash}"
			}
		}
		*text = Pattern{Parts: parts}.String()
	}
	return key
}

func TestAPrivateChatIsFoundFromEitherSide(t *testing.T) {
	if PrivateChatID("asha", "ravi") != PrivateChatID("ravi", "asha") {
		t.Error("two people have two private chats")
	}
	if PrivateChatID("a", "bc") == PrivateChatID("ab", "c") {
		t.Error("two pairs share a private chat")
	}
}

func TestACityHasTheContractsForm(t *testing.T) {
	if got := CommunityCity("Maharashtra", "Pune"); got != "STATE#Maharashtra#CITYPune" {
		t.Error(got)
	}
}
