package community_test

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

var allTables = []tables.Table{
	tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs, tables.CommunityUsers, tables.Communities,
	tables.CommunityNotifications, tables.GroupChats, tables.PrivateChats, tables.ChatRequests,
}

// house is the domain on an engine.
type house struct {
	*community.Domain
	rooms *messaging.Domain
	t     testing.TB
	db    *dynamotest.DB
	now   time.Time
	ids   atomic.Int64
	// sameID is every new id, whichever attempt commits; "" for ids that count.
	sameID string
	heard  hints
	bucket *bucket
}

// bucket is a bucket in memory.
type bucket struct {
	mu    sync.Mutex
	files map[string]string
}

// buckets are those of the engines.
var buckets sync.Map

func bucketOf(db *dynamotest.DB) *bucket {
	b, _ := buckets.LoadOrStore(db, &bucket{files: map[string]string{}})
	return b.(*bucket)
}

func (b *bucket) put(key, content string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files[key] = content
}

// keys returns the keys of what is in the bucket.
func (b *bucket) keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.files))
}

func (b *bucket) Link(_ context.Context, key string, _ time.Duration, answer url.Values) (string, error) {
	return key + "?" + answer.Encode(), nil
}

func (b *bucket) LinkToPutOnce(_ context.Context, key, _ string, _ int64, lasts time.Duration) (string, error) {
	return key + " for " + lasts.String(), nil
}

func (b *bucket) Begin(_ context.Context, key string, most int) (objects.Beginning, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content, is := b.files[key]
	if !is {
		return objects.Beginning{}, objects.ErrNone
	}
	return objects.Beginning{Bytes: []byte(content[:min(len(content), most)]), Size: int64(len(content))}, nil
}

func (b *bucket) Delete(_ context.Context, key string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.files, key)
	return nil
}

// hints keeps what is told on the live channel.
type hints struct {
	mu  sync.Mutex
	all []heard
}

// heard is a hint with its channel.
type heard struct {
	Channel live.Channel
	live.Hint
}

func (h *hints) Publish(_ context.Context, channel live.Channel, hints ...live.Hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, hint := range hints {
		h.all = append(h.all, heard{channel, hint})
	}
}

// hears returns what has been told on the live channel since it was asked last.
func (h *house) hears() []heard {
	h.heard.mu.Lock()
	defer h.heard.mu.Unlock()
	all := h.heard.all
	h.heard.all = nil
	return all
}

// on returns the domain on a client of an engine.
func on(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *house {
	h := &house{t: t, db: db, now: noon}
	clock := func() time.Time { return h.now }
	id := func() string {
		if h.sameID != "" {
			return h.sameID
		}
		return fmt.Sprint(h.ids.Add(1))
	}
	h.rooms = messaging.New(messaging.Config{
		DB: client, Now: clock, NewID: id, NewToken: func() string { return "token" }, DefaultTenant: "demo"})
	h.Domain = community.New(community.Config{
		DB: client, Now: clock, NewID: id, NewSecret: func() string { return "secret" + id() },
		Outbox: h.rooms.Outbox(), Told: h.rooms.Sender, Live: &h.heard,
		Sender: h.rooms.Sender, Inbox: h.rooms.Inbox, Groups: h.rooms.Groups, Numbers: h.rooms.Numbers,
	})
	h.bucket = bucketOf(db)
	h.Files.Bucket = h.bucket
	h.rooms.Join(h.Part())
	h.rooms.React(h.Subscriptions()...)
	return h
}

func newHouse(t testing.TB) *house {
	t.Helper()
	db := dynamotest.Start(t, allTables...)
	return on(t, db, db.Client)
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) ctx() context.Context { return h.t.Context() }

// person returns a person of the tenant demo.
func (h *house) person(id string) communitymodel.User {
	user := communitymodel.User{
		ID: model.Name(id), Username: id, Name: id, Email: id + "@example.com", TenantID: "demo",
		CreatedAt: model.At(noon), Role: communitymodel.RoleUser,
	}
	user.SetKey()
	return user
}

// request identifies a request.
func (h *house) request(key string) idempotency.Request {
	h.t.Helper()
	r, err := idempotency.NewRequest(idempotency.API, "demo", "person", "post", key, nil)
	h.must(err)
	return r
}

// founds founds a community with members.
func (h *house) founds(founder communitymodel.User, members ...communitymodel.User) communitymodel.Community {
	h.t.Helper()
	c, err := h.Communities.Found(h.ctx(), founder, communities.About{
		Name: "Kothrud Traders", Location: communitymodel.Place{Country: "India", State: "Maharashtra", City: "Pune"},
	}, h.request("found "+string(founder.ID)))
	h.must(err)
	for _, m := range members {
		_, err := h.Communities.Join(h.ctx(), c.ID, m)
		h.must(err)
	}
	return c
}

// opens opens a group chat of a community with members.
func (h *house) opens(c communitymodel.Community, by communitymodel.User, n chats.New,
	members ...communitymodel.User) communitymodel.ChatRef {
	h.t.Helper()
	n.Community = c.ID
	if n.Capacity == 0 {
		n.Capacity = 100
	}
	chat, err := h.Chats.Create(h.ctx(), by, n, h.request("chat "+n.Name))
	h.must(err)
	for _, m := range members {
		_, err := h.Chats.Join(h.ctx(), chat.ID, m)
		h.must(err)
	}
	return chat.Ref()
}

var actor = audit.Actor{Subject: "asha", Name: "Asha"}
