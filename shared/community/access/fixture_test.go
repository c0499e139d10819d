package access

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var allTables = []tables.Table{
	tables.CommunityUsers, tables.RateLimits, tables.Messages, tables.Outbox, tables.OutboxSequences,
	tables.AuditLogs}

const (
	tenant   = "demo"
	email    = "asha@example.com"
	password = "correct horse"
)

// cheap is the cost of a hash in tests.
var cheap = Cost{KiB: 8, Passes: 1}

// house is access on an engine.
type house struct {
	*Access
	t   testing.TB
	db  *dynamotest.DB
	now time.Time
	key sessiontoken.Keys
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := on(t, dynamotest.Start(t, allTables...), nil)
	opens(t, h.db)
	return h
}

// on returns access on a client of an engine; nil for the engine's own. Its ids and secrets begin anew.
func on(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *house {
	if client == nil {
		client = db.Client
	}
	h := &house{t: t, db: db, now: noon, key: func(context.Context) (string, error) { return "key", nil }}
	now := func() time.Time { return h.now }
	newID, n := dynamotest.IDs("01a1fbae-3de3-707d-9ea6-%012d"), uint64(0)
	rooms := messaging.New(messaging.Config{
		DB: client, Now: now, NewID: newID, NewToken: func() string { return "token" }})
	h.Access = &Access{
		DB: client, Now: now, NewID: newID, Domain: "community", Cost: cheap, Tokens: h.key, Mailing: rooms.Mailing,
		Sender: rooms.Sender, Numbers: rooms.Numbers,
		Users:   &users.Users{DB: client, Now: now, Audit: &audit.Log{DB: client, Now: now, NewID: newID}},
		Limiter: &ratelimit.Limiter{DB: client, Now: now}, Guesses: Guesses, Network: Network,
		Fill: func(b []byte) {
			n++
			clear(b)
			binary.BigEndian.PutUint64(b[len(b)-8:], 7919*n)
		},
	}
	return h
}

// opens lets people of the tenant sign up.
func opens(t testing.TB, db *dynamotest.DB) {
	db.Seed(t, tables.CommunityUsers, communitymodel.Settings{
		PK: keys.CommunitySettings(tenant).Partition, TenantID: tenant, Open: true, From: "hello@shop.example",
		Language: "en", Version: 1,
	})
}

func asha() SignUp {
	return SignUp{
		Tenant: tenant, Username: "Asha.Rao", Name: "Asha Rao", Email: "Asha@Example.com", Password: password,
		IP: "192.0.2.1"}
}

// mails returns the emails that are to be sent, the oldest first.
func mails(t testing.TB, db *dynamotest.DB) []mailing.Email {
	t.Helper()
	byNumber := map[string]mailing.Email{}
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if event.EventType != mailing.EventType {
			continue
		}
		email, err := mailing.Of(event)
		if err != nil {
			t.Fatal(err)
		}
		byNumber[fmt.Sprint(email.To, event.SequenceNumber)] = email
	}
	var all []mailing.Email
	for n := 1; len(all) < len(byNumber); n++ {
		for key, one := range byNumber {
			if key == fmt.Sprint(one.To, n) {
				all = append(all, one)
			}
		}
	}
	return all
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// code returns the code of the newest email to an address.
func code(t testing.TB, db *dynamotest.DB, to string) string {
	t.Helper()
	last := ""
	for _, one := range mails(t, db) {
		if one.To == to {
			last = sixDigits.FindString(one.Text)
		}
	}
	if last == "" {
		t.Fatalf("no code for %s", to)
	}
	return last
}

// other returns six digits that are not the code.
func other(code string) string {
	return strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
}

// member makes Asha a person, an hour before noon.
func (h *house) member() Signed {
	h.t.Helper()
	h.now = noon.Add(-time.Hour)
	h.must(h.SignUp(h.t.Context(), asha()))
	signed, err := h.ConfirmSignUp(h.t.Context(), h.confirms())
	h.must(err)
	h.now = noon
	return signed
}

func (h *house) confirms() Confirmation {
	return Confirmation{Tenant: tenant, Email: email, Code: code(h.t, h.db, email), Password: password, IP: "192.0.2.1"}
}

func (h *house) signIn(account, password string) (Signed, error) {
	return h.SignIn(h.t.Context(), SignIn{Tenant: tenant, Account: account, Password: password, IP: "192.0.2.1"})
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// stored counts the items of the table of people whose keys begin so.
func (h *house) stored(prefix string) (n int) {
	for _, item := range h.db.Items(h.t, tables.CommunityUsers) {
		if strings.HasPrefix(dynamo.Text(item, "pk"), prefix) {
			n++
		}
	}
	return n
}
