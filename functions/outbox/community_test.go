package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/closing"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/messages"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
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

func init() {
	follows[messages.MirrorType], follows[bridges.ArrivalType] = true, true
	domainEvents[messages.MirrorType] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		bridge(t, db)
		return bridgeEvent(t, "community.chat", messages.Mirror{Phone: wt.Phone, Group: "rice"})
	}
	domainEvents[bridges.ArrivalType] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		bridge(t, db)
		return bridgeEvent(t, wt.Phone+".rice", bridges.Arrival{Phone: wt.Phone, Group: "rice", Message: "wamid.1"})
	}
}

func init() {
	domainEvents[closing.Type] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		chat := groupOfFive(t, db)
		link, community := keys.CommunityGroupChat("community", chat.ID), keys.Community("community")
		member := communitymodel.NewMembership("community", "person-1")
		db.Seed(t, tables.Communities,
			communitymodel.Link{
				PK: link.Partition, SK: link.Sort, GroupChatPK: chat.Key().Partition, ChatID: chat.ID,
				CommunityID: "community"}, member,
			communitymodel.Community{
				PK: community.Partition, SK: community.Sort, ID: "community", TenantID: "demo",
				DeletedAt: model.At(noon)})
		asks := communitymodel.ChatRequest{
			UserID: "person-9", ChatID: chat.ID, ID: "r", CreatedAt: model.At(noon), PendingID: "p"}
		for _, key := range []keys.Key{
			keys.RequestOfUser("person-9", asks.CreatedAt, "r"), keys.RequestOfChat(chat.ID, asks.CreatedAt, "r")} {
			asks.PK, asks.SK = key.Partition, key.Sort
			db.Seed(t, tables.ChatRequests, asks)
		}
		draft := chatEvent(t, "community", closing.Closed{Community: "community"})
		draft.EntityType = keys.EntityClosing
		return draft
	}
}

func init() {
	follows[messages.DraftType] = true
	domainEvents[messages.DraftType] = func(t testing.TB, db *dynamotest.DB) outbox.Draft {
		chat := groupOfFive(t, db)
		member := communitymodel.NewMembership("community", "person-1")
		member.State = communitymodel.Joined
		db.Seed(t, tables.Communities, member)
		author := communitymodel.User{ID: "person-1", TenantID: "demo", Name: "Asha", Version: 1}
		author.SetKey()
		db.Seed(t, tables.CommunityUsers, author)
		for n, request := range []model.Name{"first", "second"} { // one more waits than the event is for
			d := communitymodel.Draft{
				ID: request, TenantID: "demo", ChatKind: chat.Kind, ChatID: chat.ID, Author: author.ID,
				Content: "90 a kilo", Mentions: []model.Name{"person-2"}, QueuedAt: model.At(noon), Request: request,
			}
			d.Keep(int64(n))
			db.Seed(t, tables.CommunityNotifications, d)
			db.Seed(t, tables.Messages, model.Idempotency{
				PK: keys.Idempotency(request).Partition, ItemType: model.ItemIdempotency, RequestID: request,
				TTL: noon.Add(24 * time.Hour).Unix(), Result: model.Document(`{"draftId":"` + request + `"}`)})
		}
		draft := chatEvent(t, string(chat.ID)+":person-1", messages.Waiting{
			Kind: chat.Kind, Chat: chat.ID, Author: author.ID})
		draft.EntityType = keys.EntityDraft
		return draft
	}
}

func bridgeEvent(t testing.TB, entity string, payload any) outbox.Draft {
	t.Helper()
	draft := chatEvent(t, entity, payload)
	draft.EntityType = keys.EntityBridge
	return draft
}

// bridge mirrors a chat to a WhatsApp group in which somebody has just written, and in which a message waits.
func bridge(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	ref := groupOfFive(t, db)
	key, before := keys.BridgeOf(wt.Phone, "rice"), model.At(noon.Add(-time.Hour))
	b := communitymodel.Bridge{
		PK: key.Partition, SK: key.Sort, TenantID: "demo", CommunityID: "community", ChatID: ref.ID, Phone: wt.Phone,
		Group: "rice", SentTo: before, WaitsSince: before,
	}
	db.Seed(t, tables.Communities, b)
	author := communitymodel.User{ID: "person-0", TenantID: "demo", Name: "Asha", Email: "asha@example.com", Version: 1}
	author.SetKey()
	db.Seed(t, tables.CommunityUsers, author)
	at := model.At(noon.Add(-time.Minute))
	post := keys.ChatMessage(ref.Key(), at, communitymodel.Stamped(at, "1"))
	db.Seed(t, tables.GroupChats, communitymodel.Message{
		PK: post.Partition, SK: post.Sort, ID: communitymodel.Stamped(at, "1"), Author: author.ID, Seq: 1,
		CreatedAt: at, Content: "90 a kilo",
	})
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA})
	text := wt.Text("919822222222", "wamid.1", "is there rice?", noon.Add(-time.Second))
	text["group_id"] = "rice"
	rooms := registry.Open(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
	for _, entry := range messagingtest.Logged(t, db, rooms.Now,
		wt.Body(wt.Messages(wt.List{wt.Contact("919822222222", "Meena")}, text))) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(entry, &event); err != nil {
			t.Fatal(err)
		}
		if err := rooms.MessageReader().Apply(t.Context(), event); err != nil {
			t.Fatal(err)
		}
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
