package communityapi

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/sessiontoken"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var apiTables = []tables.Table{
	tables.CommunityUsers, tables.RateLimits, tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs,
	tables.Communities, tables.CommunityNotifications, tables.GroupChats, tables.PrivateChats, tables.ChatRequests,
}

const password = "correct horse"

// world is the API on an engine of its own.
type world struct {
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time // a test moves it between requests
	rooms  *messaging.Domain
	domain *community.Domain
	access *access.Access
	api    huma.API
	server *apitest.Server
	log    bytes.Buffer
}

func newWorld(t testing.TB) *world {
	db := dynamotest.Start(t, apiTables...)
	return worldWith(t, db, db.Client, counting("0"))
}

// counting returns a source of ids that sort by time, which tell by a digit whose they are.
func counting(digit string) func() string {
	return dynamotest.IDs("01a1fbae-3de3-707d-9ea" + digit + "-%012d")
}

// mailboxes has one address for each tenant.
type mailboxes struct{}

func (mailboxes) Owns(_ context.Context, tenant model.TenantID, address string) (bool, error) {
	return address == "hello@"+string(tenant)+".example", nil
}

// worldWith returns the API on a client of an engine, without limits of how often it is called.
func worldWith(t testing.TB, db *dynamotest.DB, client *dynamo.Client, newID func() string) *world {
	w := &world{t: t, db: db, now: noon}
	now := func() time.Time { return w.now }
	w.rooms = messaging.New(messaging.Config{
		DB: client, Now: now, NewID: newID, NewToken: func() string { return "token" }})
	w.domain = community.New(community.Config{
		DB: client, Now: now, NewID: newID, Mailing: w.rooms.Mailing, Mailboxes: mailboxes{},
		Sender: w.rooms.Sender, Inbox: w.rooms.Inbox, Groups: w.rooms.Groups, Numbers: w.rooms.Numbers,
		Told: w.rooms.Sender, Outbox: w.rooms.Outbox(),
		NewSecret: func() string { return "secret-" + newID() },
	})
	w.access = Access(w.domain, sessiontoken.Keys(func(context.Context) (string, error) { return "key", nil }))
	w.rooms.Join(w.domain.Part())
	w.domain.Writes, w.domain.FirstDay, w.domain.Uploads = ratelimit.Limit{}, ratelimit.Limit{}, ratelimit.Limit{}
	w.domain.Files.Bucket = objectstest.Bucket(now)
	w.access.Guesses, w.access.Network = ratelimit.Limit{}, ratelimit.Limit{}
	w.access.Cost = access.Cost{KiB: 8, Passes: 1}
	n := uint64(0)
	w.access.Fill = func(b []byte) {
		n++
		clear(b)
		binary.BigEndian.PutUint64(b[len(b)-8:], 7919*n)
	}
	mux := http.NewServeMux()
	w.api = New(mux, w.domain, w.access,
		slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	w.server = &apitest.Server{API: w.api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	return w
}

// The requests of the tests, as apitest makes them.
type (
	caller  = apitest.Caller
	request = apitest.Request
	answer  = apitest.Answer
)

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// asks makes a request with a body; "" for none.
func (w *world) asks(by *caller, method, path, body string) answer {
	w.t.Helper()
	return w.server.Do(w.t, request{By: by, Method: method, Path: path, Body: body})
}

// numberOf returns the WhatsApp number of a tenant.
func numberOf(tenant string) model.PhoneNumberID {
	return model.PhoneNumberID(fmt.Sprint("10654035224", tenant[len(tenant)-1]))
}

// opens lets people of a tenant sign up, by email and over WhatsApp.
func (w *world) opens(tenant string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Phone{
		PK: keys.Phone(numberOf(tenant)).Partition, ItemType: model.ItemPhone, PhoneNumberID: numberOf(tenant),
		TenantID: model.TenantID(tenant),
	})
	_, err := w.domain.Settings.Set(w.t.Context(), communitymodel.Settings{
		TenantID: model.TenantID(tenant), Open: true, From: "hello@" + tenant + ".example",
		FromName: "The shop " + apitest.SecretOf(tenant[len(tenant)-1:]), Language: "en",
		WhatsAppNumber: numberOf(tenant),
	}, 0)
	w.must(err)
}

var (
	sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)
	codeText  = regexp.MustCompile(`"text":"[0-9]{6}"`) // in a message over WhatsApp
)

// code returns the newest code that goes to an address.
func (w *world) code(to string) string {
	w.t.Helper()
	code, newest := "", int64(0)
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		var event model.OutboxEvent
		w.must(dynamo.Unmarshal(item, &event))
		email, err := mailing.Of(event)
		w.must(err)
		switch {
		case event.EventType == mailing.EventType && email.To == to && event.SequenceNumber > newest:
			code, newest = sixDigits.FindString(email.Text), event.SequenceNumber
		case strings.Contains(string(event.Payload), `"to":"`+to+`"`) && event.SequenceNumber > newest:
			code, newest = codeText.FindString(string(event.Payload)), event.SequenceNumber
			code = sixDigits.FindString(code)
		}
	}
	return code
}

// signsUp has somebody sign up, and returns the code.
func (w *world) signsUp(tenant, username, email string) string {
	w.t.Helper()
	w.must(w.access.SignUp(w.t.Context(), access.SignUp{
		Tenant: model.TenantID(tenant), Username: username, Name: "Asha " + apitest.SecretOf(tenant[len(tenant)-1:]),
		Email: email, Password: password,
	}))
	return w.code(email)
}

// joins makes somebody a person of a tenant, two days before now, who is there now.
func (w *world) joins(tenant, username, email string) access.Signed {
	w.t.Helper()
	now := w.now
	w.now = now.Add(-48 * time.Hour)
	code := w.signsUp(tenant, username, email)
	signed, err := w.access.ConfirmSignUp(w.t.Context(), access.Confirmation{
		Tenant: model.TenantID(tenant), Email: email, Code: code, Password: password})
	w.must(err)
	w.now = now
	_, err = w.access.Identify(w.t.Context(), signed.Session, signed.User.ID)
	w.must(err)
	return signed
}

// inSession returns the caller who has signed in.
func inSession(s access.Signed) *caller {
	return &caller{Subject: string(s.User.ID), Session: string(s.Session), Tenant: string(s.User.TenantID)}
}

// belongings is what a tenant has: a person with two accounts, and somebody who has not confirmed their address.
type belongings struct {
	tenant, user, username, email, session, refresh string
	other, otherID                                  string // the second person: their address and id
	resetCode                                       string
	pending, pendingCode                            string
	phone, phoneCode                                string // a number that the person wants to have, and its code
	address, addressCode                            string // the same of an address
	chatThings
	bridgeThings
	pictureThings
}

func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	tenant := apitest.TenantOf(digit)
	w.opens(tenant)
	signed := w.joins(tenant, "asha."+digit, "asha"+digit+"@example.com")
	other := w.joins(tenant, "ravi."+digit, "ravi"+digit+"@example.com")
	b := belongings{
		tenant: tenant, user: string(signed.User.ID), username: signed.User.Username, email: signed.User.Email,
		session: string(signed.Session), refresh: signed.Refresh, other: other.User.Email,
		otherID: string(other.User.ID), pending: "meena" + digit + "@example.com",
	}
	b.pendingCode = w.signsUp(tenant, "meena."+digit, b.pending)
	w.must(w.access.Reset(w.t.Context(), model.TenantID(tenant), users.Address{Email: b.other}, ""))
	b.resetCode = w.code(b.other)
	b.phone = "+91987654321" + digit
	w.must(w.access.AskPhone(w.t.Context(), signed.User, b.phone, password))
	b.phoneCode = w.code(b.phone)
	b.address = "rao" + digit + "@example.com"
	w.must(w.access.AskEmail(w.t.Context(), signed.User, b.address, password))
	b.addressCode = w.code(b.address)
	had := "+91987654322" + digit
	w.must(w.access.AskPhone(w.t.Context(), signed.User, had, password))
	person, err := w.access.ConfirmPhone(w.t.Context(), signed.User, had, w.code(had))
	w.must(err)
	signed.User = person
	b.chatThings = w.talk(digit, signed.User, other.User)
	b.bridgeThings = w.bridges(digit, other.User)
	b.pictureThings = w.paints(signed.User, b.mine)
	return b
}

// nothing holds the names of what is not there.
func nothing() belongings {
	id := func(n int) string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea9-%012d", n) }
	return belongings{
		tenant: apitest.TenantOf("9"), user: id(1), username: "asha.9", email: "asha9@example.com", session: id(2),
		refresh: id(2) + ".AAAA", other: "ravi9@example.com", otherID: id(3), resetCode: "000009",
		pending: "meena9@example.com", pendingCode: "000009", phone: "+919876543219",
		phoneCode: "000009", address: "rao9@example.com", addressCode: "000009",
		chatThings: noChatThings(), bridgeThings: noBridgeThings(),
		pictureThings: pictureThings{face: id(40), sign: id(40)},
	}
}
