// Package closing deletes group chats and communities, with all that is in them. A mark closes them at once; an event
// of the outbox deletes the rest, step by step.
package closing

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/community/requests"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// Closing closes chats and communities.
type Closing struct {
	DB          *dynamo.Client
	Now         func() time.Time
	Audit       *audit.Log
	Outbox      *outbox.Outbox
	Communities *communities.Communities
	Chats       *chats.Chats
	Requests    *requests.Requests
	Bridges     *bridges.Bridges
	Files       *files.Files
	Pictures    *pictures.Pictures
}

// Type is the type of the event that deletes what was closed.
const Type = "community.closing"

// Closed is the payload of that event: a group chat, or a community with all its chats.
type Closed struct {
	Chat      model.Name `json:"chatId,omitempty"`
	Community model.Name `json:"communityId,omitempty"`
}

// Chat closes a group chat, by its creator or a moderator. The condition is that nothing has happened in it since it
// was read: so nothing is written behind the mark. A chat that is closed is there for nobody.
func (s *Closing) Chat(ctx context.Context, id model.Name, by communitymodel.User, actor audit.Actor) error {
	ref := communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.Chats.See(ctx, ref, by)
		if errors.Is(err, dynamo.ErrNotFound) {
			return s.unlessClosed(ctx, tables.GroupChats, ref.Key(), communitymodel.CommunityOf(id), by)
		}
		if err != nil {
			return err
		}
		if !seen.Decides(by) {
			return communitymodel.ErrNoModerator
		}
		down, err := s.down(ctx, seen.Chat)
		if err != nil {
			return err
		}
		record, err := s.record("community-chat.delete", seen.CommunityID, seen.TenantID, actor,
			map[string]any{"chatId": id})
		if err != nil {
			return err
		}
		follows, err := s.follows(ctx, seen.TenantID, Closed{Chat: id})
		if err != nil {
			return err
		}
		writes := append(down, s.mark(seen.Chat), record)
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, follows...)))
	})
}

// unlessClosed returns dynamo.ErrNotFound unless an item was closed and a member of its community asks: their request
// is repeated.
func (s *Closing) unlessClosed(ctx context.Context, table tables.Table, key keys.Key, community model.Name,
	by communitymodel.User) error {
	if community == "" {
		return dynamo.ErrNotFound
	}
	closed, member := dynamo.Ref{Table: table, Key: key}, communities.MemberRef(community, by.ID)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{closed, member})
	if err != nil {
		return err
	}
	m, err := communities.MemberIn(found, member)
	if err == nil && (!m.May() || dynamo.Text(closed.Found(found), "DeletedAt") == "") {
		err = dynamo.ErrNotFound
	}
	return err
}

// mark returns the write that closes a chat.
func (s *Closing) mark(chat communitymodel.Chat) dynamo.Update {
	at := communitymodel.After(chat.LastAt, s.Now())
	u := dynamo.Update{
		Table: tables.GroupChats, Key: chat.Ref().Key(), Do: "SET DeletedAt = :at, LastAt = :at",
		Values: dynamo.Item{":at": dynamo.S(at)},
	}
	u.If = dynamo.And("attribute_exists(pk)", dynamo.SameText("LastAt", chat.LastAt, u.Values))
	return u
}

// down returns the writes that take the bridge of a chat down; none if it has none.
func (s *Closing) down(ctx context.Context, chat communitymodel.Chat) ([]dynamo.Write, error) {
	if !chat.Bridged() {
		return nil, nil
	}
	c, err := s.Communities.Get(ctx, chat.CommunityID)
	if err != nil {
		return nil, err
	}
	c.BridgedChat = ""
	put, err := dynamo.PutVersion(tables.Communities, &c)
	return []dynamo.Write{put, bridges.Down(chat)}, err
}

// record returns the write of the audit record.
func (s *Closing) record(action string, community model.Name, tenant model.TenantID, by audit.Actor,
	what map[string]any) (dynamo.Write, error) {
	_, write, err := s.Audit.CompletedRecord(audit.Draft{
		Action: action, Target: audit.Target{Type: "community", ID: string(community)}, Tenant: tenant, By: by,
	}, what, nil)
	return write, err
}

// follows returns the writes of the event that deletes what is closed.
func (s *Closing) follows(ctx context.Context, tenant model.TenantID, closed Closed) ([]dynamo.Write, error) {
	id := string(closed.Chat + closed.Community)
	sequence := outbox.SequenceRef(tenant, keys.EntityClosing, id)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, err
	}
	payload, err := json.Marshal(closed)
	if err != nil {
		return nil, err
	}
	_, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: Type, Tenant: tenant, EntityType: keys.EntityClosing, EntityID: id, Payload: payload})
	return writes, err
}

// Community closes a community, by its founder. The condition is that it is as it was read.
func (s *Closing) Community(ctx context.Context, id model.Name, by communitymodel.User, actor audit.Actor) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.Communities.SeeAsMember(ctx, id, by)
		if errors.Is(err, dynamo.ErrNotFound) {
			return s.unlessClosed(ctx, tables.Communities, keys.Community(id), id, by)
		}
		if err != nil {
			return err
		}
		if seen.Membership.Role != communitymodel.Founder {
			return communitymodel.Forbidden("not-the-founder", "Not the founder", "Only the founder may do this.")
		}
		return s.close(ctx, seen.Community, actor)
	})
}

// close closes a community: nobody finds it any more, and its bridge is taken down.
func (s *Closing) close(ctx context.Context, c communitymodel.Community, actor audit.Actor) error {
	var writes []dynamo.Write
	if c.BridgedChat != "" {
		var chat communitymodel.Chat
		if err := s.DB.Get(ctx, tables.GroupChats, keys.GroupChat(c.BridgedChat), &chat); err != nil {
			return err
		}
		writes = []dynamo.Write{bridges.Down(chat), bridges.Unmark(chat)}
		c.BridgedChat = ""
	}
	record, err := s.record("community.delete", c.ID, c.TenantID, actor, map[string]any{"name": c.Name})
	if err != nil {
		return err
	}
	follows, err := s.follows(ctx, c.TenantID, Closed{Community: c.ID})
	if err != nil {
		return err
	}
	ended, err := communities.Ended(c, model.At(s.Now()))
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, slices.Concat(writes, []dynamo.Write{record}, ended, follows)))
}

// Handlers returns the handler of the event.
func (s *Closing) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{Type: {Send: s.send}}
}

// send deletes what was closed. It may run again, and goes on where it has stopped.
func (s *Closing) send(ctx context.Context, event model.OutboxEvent) (string, error) {
	var closed Closed
	if err := json.Unmarshal(event.Payload, &closed); err != nil {
		return "", outbox.Unreadable(err)
	}
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if closed.Chat != "" {
			return s.deleteChat(ctx, event.EcosystemID, closed.Chat)
		}
		return s.deleteCommunity(ctx, event.EcosystemID, closed.Community)
	})
	return "", outbox.Unfinished(err, "not all could be deleted")
}

// deleteCommunity deletes the chats of a closed community, its members, and all else that is kept of it; itself last.
func (s *Closing) deleteCommunity(ctx context.Context, tenant model.TenantID, id model.Name) error {
	links, err := s.DB.Rows(ctx, rowsOf(tables.Communities, keys.Community(id), keys.CommunityGroupChats))
	if err != nil {
		return err
	}
	for _, link := range links {
		chat := model.Name(dynamo.Text(link, "ChatId"))
		if err := s.marked(ctx, chat); err != nil {
			return err
		}
		if err := s.deleteChat(ctx, tenant, chat); err != nil {
			return err
		}
	}
	if err := s.Pictures.DropAll(ctx, tenant, pictures.Owner{Community: id}); err != nil {
		return err
	}
	return s.empty(ctx, tables.Communities, keys.Community(id))
}

// marked closes a chat of a closed community.
func (s *Closing) marked(ctx context.Context, id model.Name) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var chat communitymodel.Chat
		err := s.DB.Get(ctx, tables.GroupChats, keys.GroupChat(id), &chat)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && chat.DeletedAt != "" {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.DB.Update(ctx, s.mark(chat))
		return dynamo.Conflict(err)
	})
}

// deleteChat deletes the requests to join a closed chat, what was written there, and who was in it; itself last.
func (s *Closing) deleteChat(ctx context.Context, tenant model.TenantID, id model.Name) error {
	if err := s.Requests.DeleteOf(ctx, id); err != nil {
		return err
	}
	if err := s.Files.DropAll(ctx, tenant, communitymodel.ChatRef{Kind: communitymodel.Group, ID: id}); err != nil {
		return err
	}
	community := keys.Community(communitymodel.CommunityOf(id))
	reported := rowsOf(tables.Communities, community, keys.CommunityReports)
	reported.Filter, reported.Values[":chat"] = "ChatId = :chat", dynamo.S(id)
	if err := s.delete(ctx, reported, community); err != nil {
		return err
	}
	if err := s.empty(ctx, tables.GroupChats, keys.GroupChat(id)); err != nil {
		return err
	}
	return s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Communities, Key: keys.CommunityGroupChat(communitymodel.CommunityOf(id), id),
		If: dynamo.Unconditional,
	}})
}

// atOnce is how many items one transaction deletes.
const atOnce = 50

// empty deletes the items of a partition, and the one with the key last.
func (s *Closing) empty(ctx context.Context, table tables.Table, last keys.Key) error {
	if err := s.delete(ctx, rowsOf(table, last, ""), last); err != nil {
		return err
	}
	return s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{Table: table, Key: last, If: dynamo.Unconditional}})
}

// delete deletes what a query finds in a partition, but for the item with the key.
func (s *Closing) delete(ctx context.Context, q dynamo.Query, but keys.Key) error {
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(page.Items, func(row dynamo.Item) bool {
			return dynamo.Text(row, keys.SK) == but.Sort
		})
		for some := range slices.Chunk(rows, atOnce) {
			writes := make([]dynamo.Write, len(some))
			for i, row := range some {
				key := but
				key.Sort = dynamo.Text(row, keys.SK)
				writes[i] = dynamo.Delete{Table: q.Table, Key: key, If: dynamo.Unconditional}
			}
			if err := dynamo.Conflict(s.DB.Transact(ctx, writes)); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// rowsOf returns the query for the items of a partition whose sort keys begin with a text; "" for all.
func rowsOf(table tables.Table, of keys.Key, begins string) dynamo.Query {
	q := dynamo.Query{Table: table, Where: "pk = :of", Values: dynamo.Item{":of": dynamo.S(of.Partition)}}
	if begins != "" {
		q.Where += " AND begins_with(sk, :begins)"
		q.Values[":begins"] = dynamo.S(begins)
	}
	return q
}
