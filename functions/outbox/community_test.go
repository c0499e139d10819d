package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

func init() {
	domainEvents[messages.TellingType] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		chat := groupOfFive(t, db)
		return chatEvent(t, string(chat.ID), messages.Telling{
			Kind: chat.Kind, Chat: chat.ID, Message: communitymodel.Stamped(model.At(noon), "1"), At: model.At(noon),
			Author: "person-0", Mention: []model.Name{"person-1"}, All: true,
		})
	}
	domainEvents[communities.LeavingType] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		groupOfFive(t, db)
		return chatEvent(t, "person-1", communities.Leaving{Community: "community", User: "person-1"})
	}
}

func chatEvent(t testing.TB, entity string, payload any) outbox.Draft {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return outbox.Draft{EntityType: keys.EntityChat, EntityID: entity, Payload: text}
}

// groupOfFive is a group chat with five members.
func groupOfFive(t testing.TB, db *dynamotest.DB) communitymodel.ChatRef {
	t.Helper()
	ref := communitymodel.ChatRef{
		Kind: communitymodel.Group, ID: communitymodel.GroupChatID("community", "chat")}
	db.Seed(t, tables.GroupChats, communitymodel.Chat{
		PK: ref.Key().Partition, SK: ref.Key().Sort, ID: ref.ID, Capacity: 10, NumMembers: 5, TenantID: "demo",
		CommunityID: "community",
	})
	for i := range 5 {
		m := communitymodel.NewChatMember(ref, model.Name(fmt.Sprint("person-", i)))
		m.State = communitymodel.Joined
		db.Seed(t, tables.GroupChats, m)
	}
	return ref
}
