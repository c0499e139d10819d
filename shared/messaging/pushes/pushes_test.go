package pushes_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/pushes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webpush"
)

func publicKeyOf(point []byte) (*ecdsa.PublicKey, error) {
	return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
}

// opened is a house with a push service, and with a tenant's key.
func opened(t *testing.T) (*house, *service, *dynamotest.DB, string) {
	t.Helper()
	db := dynamotest.Start(t, used...)
	furnished(t, db)
	h, s := houseOn(db.Client), serve(t)
	public, err := h.Pushes.PublicKey(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	return h, s, db, public
}

func TestWhoWantsAnEventIsNotifiedInTheirBrowserAlone(t *testing.T) {
	for name, c := range map[string]struct {
		kind, assignee, wants string
		told                  bool
	}{
		"a message in one's own":             {inbox.EventReceived, "sunita", pushes.Mine, true},
		"a message in a colleague's":         {inbox.EventReceived, "ravi", pushes.Mine, false},
		"a message in nobody's":              {inbox.EventReceived, "", pushes.Unassigned, true},
		"nobody's, for who wants their own":  {inbox.EventReceived, "", pushes.Mine, false},
		"one's own, for who wants nobody's":  {inbox.EventReceived, "sunita", pushes.Unassigned, false},
		"left to a person":                   {inbox.EventPerson, "", pushes.NeedsPerson, true},
		"left to oneself":                    {inbox.EventPerson, "sunita", pushes.NeedsPerson, true},
		"left to a colleague":                {inbox.EventPerson, "ravi", pushes.NeedsPerson, false},
		"left to a person, who wants others": {inbox.EventPerson, "", pushes.Unassigned, false},
		"something else":                     {inbox.EventFailed, "sunita", pushes.Mine, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, s, db, public := opened(t)
			db.Seed(t, tables.Messages, talk(func(is *model.Conversation) {
				is.Assignee, is.NeedsPersonSince = c.assignee, model.At(noon)
			}))
			laptop := newBrowser(t, "/laptop")
			h.put(t, sunita, "laptop", s.wanted(laptop, c.wants))
			h.happened(t, c.kind, "1")
			h.sweeps(t, s, time.Second)
			got := s.at(laptop)
			if !c.told {
				if len(got) > 0 {
					t.Errorf("notified %d times", len(got))
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("notified %d times", len(got))
			}
			want := pushes.Notification{Title: "Asha Rao", Body: "2 kilo chawal bhej do",
				Conversation: string(phone) + ":" + string(asha)}
			if c.kind == inbox.EventPerson {
				want.Body = "Waits for a person: " + want.Body
			}
			if diff := cmp.Diff(want, laptop.reads(t, got[0])); diff != "" {
				t.Error(diff)
			}
			s.signed(t, got[0], public, h.now)
			if topic := got[0].header.Get("Topic"); len(topic) != 32 || got[0].header.Get("TTL") != "3600" {
				t.Errorf("%v", got[0].header)
			}
		})
	}
}

// A number of whose tenant a browser is notified publishes, and one of no such tenant pays nothing.
func TestWhatHappensIsPublishedWhileABrowserIsNotified(t *testing.T) {
	h, s, db, _ := opened(t)
	subscribed := func() bool {
		of, err := houseOn(db.Client).Numbers.SubscribedTo(t.Context(), phone)
		if err != nil {
			t.Fatal(err)
		}
		return of != ""
	}
	if subscribed() {
		t.Error("nobody is notified yet")
	}
	h.put(t, sunita, "laptop", s.wanted(newBrowser(t, "/laptop"), pushes.Mine))
	if h.sweeps(t, s, time.Second); !subscribed() {
		t.Error("nothing is published")
	}
	if err := h.Pushes.Delete(t.Context(), tenant, sunita, "laptop"); err != nil {
		t.Fatal(err)
	}
	if h.sweeps(t, s, time.Second); subscribed() {
		t.Error("it is published for nobody")
	}
}

// What somebody has dealt with, and what is old, is not worth a notification.
func TestWhatIsOverNotifiesNobody(t *testing.T) {
	for name, c := range map[string]struct {
		kind   string
		change func(c *model.Conversation)
		later  time.Duration
	}{
		"it is read":     {inbox.EventReceived, func(c *model.Conversation) { c.UnreadCount = 0 }, 0},
		"it is archived": {inbox.EventReceived, func(c *model.Conversation) { c.Archived = true }, 0},
		"a person has answered": {inbox.EventPerson, func(c *model.Conversation) {
			c.NeedsPersonSince = ""
		}, 0},
		"an hour has passed": {inbox.EventReceived, nil, 61 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			h, s, db, _ := opened(t)
			laptop := newBrowser(t, "/laptop")
			h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned, pushes.NeedsPerson))
			h.happened(t, c.kind, "1")
			db.Seed(t, tables.Messages, talk(c.change))
			h.sweeps(t, s, c.later)
			if got := s.at(laptop); len(got) > 0 {
				t.Errorf("notified %d times", len(got))
			}
		})
	}
}

func TestABrowserThatIsGoneIsForgotten(t *testing.T) {
	h, s, _, _ := opened(t)
	laptop, mobile := newBrowser(t, "/laptop"), newBrowser(t, "/mobile")
	h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned))
	h.put(t, sunita, "mobile", s.wanted(mobile, pushes.Unassigned))
	s.answer("/laptop", http.StatusGone)
	h.happened(t, inbox.EventReceived, "1")
	h.sweeps(t, s, time.Second)
	if got := s.at(mobile); len(got) != 1 {
		t.Errorf("the other browser was notified %d times", len(got))
	}
	all, err := h.Pushes.Of(t.Context(), tenant, sunita)
	if err != nil || len(all) != 1 || all[0].DeviceID != "mobile" {
		t.Errorf("%+v, %v", all, err)
	}
}

// Who does not work for the tenant any more is told nothing of its customers.
func TestWhoHasLeftIsNotNotified(t *testing.T) {
	h, s, db, _ := opened(t)
	laptop := newBrowser(t, "/laptop")
	h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned))
	if err := db.Write(t.Context(), []dynamo.Write{
		dynamo.Delete{Table: tables.Messages, Key: keys.Member(sunita, tenant)}}); err != nil {
		t.Fatal(err)
	}
	h.happened(t, inbox.EventReceived, "1")
	h.sweeps(t, s, time.Second)
	if got := s.at(laptop); len(got) > 0 {
		t.Errorf("notified %d times", len(got))
	}
	if _, err := h.Pushes.Get(t.Context(), tenant, sunita, "laptop"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("it is kept: %v", err)
	}
	err := h.Pushes.Put(t.Context(), tenant, sunita, "laptop", s.wanted(laptop, pushes.Mine))
	if !errors.Is(err, pushes.ErrNoMember) {
		t.Errorf("registered again: %v", err)
	}
}

// is stores what the directory says of somebody.
func is(t *testing.T, db *dynamotest.DB, subject model.Name, roles ...string) {
	t.Helper()
	db.Seed(t, tables.Messages, model.Person{
		PK: keys.Person(subject).Partition, ItemType: model.ItemPerson, Subject: subject, Roles: roles, Tenants: 1})
}

// Somebody who loses the role by which they may read conversations is notified of nothing any more. It does not matter
// whether the item of the person or a group of the user pool gave the role.
func TestWhoHasLostTheRoleIsNotNotified(t *testing.T) {
	const day = 24 * time.Hour
	reading := []string{"operator", "supervisor"} // by the token
	for name, c := range map[string]struct {
		by, then []string // the roles of the item, when the browser is registered and later
		again    time.Duration
		later    time.Duration
		told     bool
	}{
		"the role is kept":               {[]string{"operator"}, []string{"operator"}, 0, 30 * day, true},
		"the role is lost":               {[]string{"operator"}, nil, 0, time.Minute, false},
		"another role is left":           {[]string{"operator"}, []string{"cashier"}, 0, time.Minute, false},
		"one of two roles is left":       {reading, reading[1:], 0, 30 * day, true},
		"a group, for less than a week":  {nil, nil, 0, 6 * day, true},
		"a group, a week later":          {nil, nil, 0, 8 * day, false},
		"a group that is proved again":   {nil, nil, 6 * day, 6 * day, true},
		"another role than of the token": {[]string{"cashier"}, []string{"cashier"}, 0, 8 * day, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, s, db, _ := opened(t)
			laptop := newBrowser(t, "/laptop")
			is(t, db, sunita, c.by...)
			wanted := s.wanted(laptop, pushes.Unassigned)
			wanted.Roles = reading
			h.put(t, sunita, "laptop", wanted)
			if h.now = h.now.Add(c.again); c.again > 0 {
				h.put(t, sunita, "laptop", wanted)
			}
			h.now = h.now.Add(c.later)
			is(t, db, sunita, c.then...)
			h.happened(t, inbox.EventReceived, "1")
			h.sweeps(t, s, time.Second)
			if got := len(s.at(laptop)); (got == 1) != c.told || got > 1 {
				t.Errorf("notified %d times", got)
			}
			_, err := h.Pushes.Get(t.Context(), tenant, sunita, "laptop")
			if kept := err == nil; kept != c.told {
				t.Errorf("the browser is kept: %v, %v", kept, err)
			}
		})
	}
}

// A number that has come to another tenant is no business of the former one's people.
func TestNobodyIsNotifiedOfAnothersNumber(t *testing.T) {
	h, s, db, _ := opened(t)
	laptop := newBrowser(t, "/laptop")
	h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned))
	h.happened(t, inbox.EventReceived, "1")
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "another"})
	h.sweeps(t, s, time.Second)
	if got := s.at(laptop); len(got) > 0 {
		t.Errorf("notified %d times", len(got))
	}
	if _, err := h.Pushes.Get(t.Context(), tenant, sunita, "laptop"); err != nil {
		t.Errorf("the browser is gone: %v", err)
	}
}

// A push service that is busy gets the notification later. It holds up no other browser.
func TestABusyPushServiceIsTriedAgain(t *testing.T) {
	for name, status := range map[string]int{
		"busy": http.StatusServiceUnavailable, "too many": http.StatusTooManyRequests} {
		t.Run(name, func(t *testing.T) {
			h, s, _, _ := opened(t)
			laptop, mobile := newBrowser(t, "/laptop"), newBrowser(t, "/mobile")
			h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned))
			h.put(t, ravi, "mobile", s.wanted(mobile, pushes.Unassigned))
			s.answer("/laptop", status)
			h.happened(t, inbox.EventReceived, "1")
			h.sweeps(t, s, time.Second)
			if len(s.at(mobile)) != 1 || len(s.at(laptop)) == 0 {
				t.Error("not everybody was notified")
			}
			s.answer("/laptop", http.StatusCreated)
			h.sweeps(t, s, 6*time.Minute)
			if got := s.at(laptop); len(got) != 1 {
				t.Errorf("notified %d times", len(got))
			}
		})
	}
}

// An erased customer is named to nobody.
func TestOfAnErasedCustomerNobodyIsTold(t *testing.T) {
	h, s, db, _ := opened(t)
	laptop := newBrowser(t, "/laptop")
	h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Unassigned))
	h.happened(t, inbox.EventReceived, "1")
	for _, item := range db.Items(t, tables.Outbox) {
		if text := fmt.Sprint(item); strings.Contains(text, "Asha") || strings.Contains(text, string(asha)) {
			t.Errorf("the outbox names somebody: %v", item)
		}
	}
	if err := db.Write(t.Context(), []dynamo.Write{
		dynamo.Delete{Table: tables.Messages, Key: keys.Message(hello)},
		dynamo.Delete{Table: tables.Messages, Key: keys.Conversation(phone, asha)}}); err != nil {
		t.Fatal(err)
	}
	h.sweeps(t, s, time.Second)
	if got := s.at(laptop); len(got) > 0 {
		t.Errorf("notified %d times", len(got))
	}
}

func TestATenantHasFewBrowsersAndOneKey(t *testing.T) {
	h, s, _, public := opened(t)
	if again, err := h.Pushes.PublicKey(t.Context(), tenant); err != nil || again != public {
		t.Errorf("%s, then %s: %v", public, again, err)
	}
	other, err := h.Pushes.PublicKey(t.Context(), "other")
	if err != nil || other == public {
		t.Errorf("two tenants have the key %s: %v", other, err)
	}
	laptop := newBrowser(t, "/laptop")
	for i := range pushes.Most {
		h.put(t, sunita, model.Name(fmt.Sprint("laptop-", i)), s.wanted(laptop, pushes.Mine))
	}
	err = h.Pushes.Put(t.Context(), tenant, sunita, "one-more", s.wanted(laptop, pushes.Mine))
	if !errors.Is(err, pushes.ErrMany) {
		t.Errorf("%v", err)
	}
	h.put(t, sunita, "laptop-0", s.wanted(laptop, pushes.Unassigned)) // a change adds none
}

func TestABrowserThatCannotBeNotifiedIsRefused(t *testing.T) {
	s := serve(t)
	good := s.wanted(newBrowser(t, "/laptop"), pushes.Mine).Browser
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(b *webpush.Browser){
		"no https":          func(b *webpush.Browser) { b.Endpoint = "http://push.example.com/1" },
		"a number":          func(b *webpush.Browser) { b.Endpoint = "https://10.0.0.1/1" },
		"no link":           func(b *webpush.Browser) { b.Endpoint = "push" },
		"no key":            func(b *webpush.Browser) { b.P256dh = "" },
		"no point":          func(b *webpush.Browser) { b.P256dh = good.Auth },
		"no secret":         func(b *webpush.Browser) { b.Auth = "" },
		"a long secret":     func(b *webpush.Browser) { b.Auth = good.P256dh },
		"no base64":         func(b *webpush.Browser) { b.Auth = "§§§" },
		"a user in the url": func(b *webpush.Browser) { b.Endpoint = "https://a:b@push.example.com/1" },
	} {
		bad := good
		if change(&bad); !errors.Is(bad.Check(), webpush.ErrBrowser) {
			t.Errorf("%s: %v", name, bad.Check())
		}
	}
}
