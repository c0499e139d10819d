package collecting_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/mail/received"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	together = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}
)

const asha, jobs, shop = "asha@example.com", "jobs@haat.example", "shop@rao.example"

// boxes are email addresses, each of a tenant.
type boxes map[string]model.TenantID

func (b boxes) MailboxOf(_ context.Context, address string) (model.TenantID, error) {
	return b[address], nil
}

func now() time.Time { return noon }

// on takes emails to the addresses of two tenants.
func on(client *dynamo.Client, bucket collecting.Bucket) *collecting.Collecting {
	return &collecting.Collecting{
		Arrivals: &arrivals.Arrivals{
			DB: client, Now: now, Log: &webhooklog.Log{DB: client, Now: now},
			Outbox: &outbox.Outbox{DB: client, Now: now}, List: &suppression.List{DB: client, Now: now}},
		Log: webhooklog.Appender{DB: client, Now: now}, Mailboxes: boxes{jobs: "demo", shop: "rao"}, Bucket: bucket}
}

// told is what SES tells of an email.
func told(to ...string) notices.Notice {
	return notices.Notice{
		Kind: notices.Received, ID: "m1", At: noon, To: to, Bucket: messagingtest.BucketName, Key: "mail/m1"}
}

const (
	head = "From: =?utf-8?B?4KSG4KS24KS+?= <" + asha + ">\r\nTo: " + jobs + "\r\n" +
		"Subject: =?iso-8859-1?Q?Bewerbung_f=FCr?=\r\n =?iso-8859-1?Q?_K=F6che?=\r\n" +
		"Message-ID: <1@example.com>\r\nReferences: <a@x.example> <b@x.example>\r\n" +
		"In-Reply-To: <b@x.example>\r\nMIME-Version: 1.0\r\n"
	plain = head + "Content-Type: text/plain; charset=windows-1252\r\n" +
		"Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe =80 5\r\n"
	mixed = head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nMy CV\r\n" +
		"--b\r\nContent-Type: application/pdf; name=\"=?utf-8?Q?=E0=A4=B8=E0=A5=80?=.pdf\"\r\n" +
		"Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQKJcfsj6IK\r\n" +
		"--b\r\nContent-Type: application/x-msdownload\r\nContent-Disposition: attachment; filename=cv.exe\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\nTVqQAAMAAAAEAAAA\r\n--b--\r\n"
)

// taken has an email come in, of which SES tells twice, and returns what is kept of it at a recipient.
func taken(t *testing.T, raw string, n notices.Notice, at string) (model.Received, *messagingtest.Bucket) {
	t.Helper()
	db, bucket := dynamotest.Start(t, together...), &messagingtest.Bucket{}
	bucket.Lay(n.Key, raw)
	c := on(db.Client, bucket)
	for range 2 {
		if err := c.Email(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	m, err := c.Arrivals.Get(t.Context(), arrivals.ID(model.ChannelEmail, at, n.ID))
	if err != nil {
		t.Fatal(err)
	}
	return m, bucket
}

// The text of an email is kept in Unicode, whatever its charset is, with the Message-IDs by which its conversation is
// found. The raw email is deleted.
func TestAnEmailIsKept(t *testing.T) {
	got, bucket := taken(t, plain, told(jobs), jobs)
	want := model.Received{
		PK: got.PK, ItemType: model.ItemReceived, FromPK: got.FromPK, TenantID: "demo", Channel: model.ChannelEmail,
		Business: jobs, Person: asha, CustomerID: asha, ReceivedAt: model.At(noon), SenderName: "आशा",
		Subject: "Bewerbung für Köche", Text: "Grüße € 5", EmailID: "1@example.com",
		References: []string{"b@x.example", "a@x.example"}}
	if diff := cmp.Diff(want, got); diff != "" || len(bucket.Keys()) > 0 {
		t.Errorf("%s, in the bucket %v", diff, bucket.Keys())
	}
}

// The files of an email are kept, those of types that are not taken are named, and of an infected email none.
func TestTheFilesOfAnEmailAreKept(t *testing.T) {
	n := told(jobs)
	for infected, want := range map[bool]string{
		false: "[{सी.pdf application/pdf 15 KEY}] [{cv.exe type}]",
		true:  "[] [{cv.exe type} {सी.pdf infected}] infected",
	} {
		n.Infected = infected
		got, bucket := taken(t, mixed, n, jobs)
		key := "files/demo/email/" + string(arrivals.ID(model.ChannelEmail, jobs, "m1")) + "/0"
		is := strings.ReplaceAll(fmt.Sprint(got.Files, got.LeftOut), key, "KEY")
		if got.Held != "" {
			is += " " + got.Held
		}
		if is != want || slices.Contains(bucket.Keys(), key) == infected {
			t.Errorf("%s, in the bucket %v", is, bucket.Keys())
		}
	}
}

// An email to two companies is one message for each, of its own tenant. None of them sees the other's.
func TestAnEmailToTwoCompanies(t *testing.T) {
	for at, tenant := range map[string]model.TenantID{jobs: "demo", shop: "rao"} {
		m, bucket := taken(t, mixed, told(shop, jobs, jobs), at)
		if m.TenantID != tenant || m.Business != at ||
			!strings.HasPrefix(m.Files[0].Key, "files/"+string(tenant)+"/") || len(bucket.Keys()) != 2 {
			t.Errorf("%s: %+v, in the bucket %v", at, m, bucket.Keys())
		}
	}
}

// An email that cannot be read, or whose address is nobody's, is logged without its content, and stays in the bucket.
// Spam for an address of nobody is dropped.
func TestWhatIsNotReadIsNotLost(t *testing.T) {
	as := func(*notices.Notice) {}
	for name, c := range map[string]struct {
		raw    string
		change func(*notices.Notice)
		why    string // "" for nothing
		tenant model.TenantID
		stays  bool
	}{
		"of nobody": {plain, func(n *notices.Notice) { n.To = []string{"x@haat.example"} }, "no company", "", true},
		"spam of nobody": {plain, func(n *notices.Notice) { n.To, n.Spam = []string{"x@haat.example"}, true }, "", "",
			false},
		"no recipient":       {plain, func(n *notices.Notice) { n.To = nil }, "no address", "", true},
		"no email":           {"\x00\x01", as, "cannot be read", "demo", true},
		"no sender":          {"Subject: x\r\n\r\nhello", as, "no sender", "demo", true},
		"it is gone":         {plain, func(n *notices.Notice) { n.Key = "mail/m2" }, "not in the bucket", "demo", true},
		"of another bucket":  {plain, func(n *notices.Notice) { n.Bucket = "theirs" }, "where no email", "", true},
		"of another place":   {plain, func(n *notices.Notice) { n.Key = "files/demo/1" }, "where no email", "", true},
		"larger than it may": {strings.Repeat("x", collecting.MaxRaw+1), as, "40 MB", "demo", true},
	} {
		t.Run(name, func(t *testing.T) {
			db, bucket, n := dynamotest.Start(t, together...), &messagingtest.Bucket{}, told(jobs)
			bucket.Lay("mail/m1", c.raw)
			c.change(&n)
			for range 2 {
				if err := on(db.Client, bucket).Email(t.Context(), n); err != nil {
					t.Fatal(err)
				}
			}
			var account model.WABAID
			if c.tenant != "" {
				account = webhooklog.AccountOf(c.tenant)
			}
			failed, _, err := (&webhooklog.Log{DB: db.Client, Now: now}).FailedEntries(t.Context(), account, 10, nil)
			if err != nil {
				t.Fatal(err)
			}
			logged := ""
			for _, entry := range failed {
				logged += entry.ProcessingError
			}
			if !strings.Contains(logged, c.why) || (logged == "") != (c.why == "") || len(failed) > 1 ||
				(len(bucket.Keys()) == 1) != c.stays || strings.Contains(fmt.Sprint(failed), "example.com") {
				t.Errorf("logged %q, in the bucket %v", logged, bucket.Keys())
			}
		})
	}
}

// If one of two recipients is nobody's, the other one gets the email, and the raw email stays.
func TestAnEmailToACompanyAndToNobody(t *testing.T) {
	m, bucket := taken(t, plain, told("x@haat.example", jobs), jobs)
	if m.Text != "Grüße € 5" || !slices.Equal(bucket.Keys(), []string{"mail/m1"}) {
		t.Errorf("%+v, in the bucket %v", m, bucket.Keys())
	}
}

// Whichever call of the bucket fails, the email is kept when SES's notice comes again, once and with its files.
func TestABucketThatFails(t *testing.T) {
	for at := 1; ; at++ {
		db := dynamotest.Start(t, together...)
		failed := false
		bucket := &messagingtest.Bucket{Fails: func(call int) error {
			if call != at {
				return nil
			}
			failed = true
			return messagingtest.ErrUnreachable
		}}
		bucket.Lay("mail/m1", mixed)
		c := on(db.Client, bucket)
		err := c.Email(t.Context(), told(jobs, shop))
		if !failed && err == nil {
			t.Logf("%d calls", at-1)
			return
		}
		if !failed || err == nil {
			t.Fatalf("call %d: %v", at, err)
		}
		if err := c.Email(t.Context(), told(jobs, shop)); err != nil {
			t.Fatalf("call %d, the second notice: %v", at, err)
		}
		kept := map[string]int{}
		for _, item := range db.Items(t, tables.Messages) {
			kept[dynamo.Text(item, "itemType")]++
		}
		keys := bucket.Keys()
		if kept[string(model.ItemReceived)] != 2 || kept[string(model.ItemWebhookEvent)] != 2 || len(keys) != 2 ||
			!strings.HasPrefix(keys[0], "files/demo/") || !strings.HasPrefix(keys[1], "files/rao/") {
			t.Errorf("call %d: %v, in the bucket %v", at, kept, keys)
		}
	}
}

// A file that cannot be kept at one company does not hold up the email at another one.
func TestOneCompanyDoesNotHoldUpAnother(t *testing.T) {
	db := dynamotest.Start(t, together...)
	firstPut := 2 // call 1 reads the raw email
	bucket := &messagingtest.Bucket{Fails: func(call int) error {
		if call == firstPut {
			return messagingtest.ErrUnreachable
		}
		return nil
	}}
	bucket.Lay("mail/m1", mixed)
	c := on(db.Client, bucket)
	if err := c.Email(t.Context(), told(jobs, shop)); err == nil {
		t.Error("the failure is not reported, so that the notice does not come again")
	}
	m, err := c.Arrivals.Get(t.Context(), arrivals.ID(model.ChannelEmail, shop, "m1"))
	if err != nil || m.TenantID != "rao" || !slices.Contains(bucket.Keys(), "mail/m1") {
		t.Errorf("%+v %v, in the bucket %v", m, err, bucket.Keys())
	}
}

// The reasons for which an email is held, and their order: what may be forged comes before what a machine has sent.
func TestWhatIsHeld(t *testing.T) {
	for want, c := range map[string]struct {
		fields string
		change func(*notices.Notice)
	}{
		"":          {"", func(*notices.Notice) {}},
		"automatic": {"Auto-Submitted: auto-replied\r\n", func(*notices.Notice) {}},
		"bounce":    {"X-Failed-Recipients: a@example.com\r\n", func(*notices.Notice) {}},
		"list":      {"List-Id: <l.example.com>\r\n", func(*notices.Notice) {}},
		"loop":      {"X-Loop: " + jobs + "\r\n", func(*notices.Notice) {}},
		"spam":      {"", func(n *notices.Notice) { n.Spam = true }},
		"forged":    {"Auto-Submitted: auto-replied\r\n", func(n *notices.Notice) { n.Forged, n.Spam = true, true }},
		"infected":  {"", func(n *notices.Notice) { n.Forged, n.Infected = true, true }},
	} {
		n := told(jobs)
		c.change(&n)
		if m, _ := taken(t, c.fields+plain, n, jobs); m.Held != want {
			t.Errorf("%q instead of %q", m.Held, want)
		}
	}
}

// An email of 30 MB and one of 500 parts are kept as far as their bounds go, and what was left out is named.
func TestLargeEmails(t *testing.T) {
	line := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", 57))) + "\r\n"
	lines := strings.Repeat(line, 200_000)
	large := head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain\r\n\r\nMy film\r\n"
	for range 2 {
		large += "--b\r\nContent-Type: text/plain; name=film.txt\r\nContent-Disposition: attachment\r\n" +
			"Content-Transfer-Encoding: base64\r\n\r\n" + lines
	}
	nested := head
	for n := range 500 {
		nested += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", n, n)
	}
	many := head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n" +
		strings.Repeat("--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n", 500) + "--b--\r\n"
	for name, c := range map[string]struct {
		raw, text, left string
		files           int
	}{
		"30 MB":  {large + "--b--\r\n", "My film", "[]", 2},
		"nested": {nested + "Content-Type: text/plain\r\n\r\nhello\r\n", "", "[{ too_deep} ", 0},
		"many":   {many, strings.TrimSpace(strings.Repeat("hello\n", received.MaxParts-1)), "[{ too_many}]", 0},
	} {
		m, bucket := taken(t, c.raw, told(jobs), jobs)
		if m.Text != c.text || !strings.HasPrefix(fmt.Sprint(m.LeftOut), c.left) || len(m.Files) != c.files ||
			len(bucket.Keys()) != c.files {
			t.Errorf("%s: %d bytes, %.200q, %v, %v", name, len(c.raw), m.Text, m.LeftOut, m.Files)
		}
	}
}

func TestTakingAnEmailSurvivesEveryCrashPoint(t *testing.T) {
	var bucket *messagingtest.Bucket
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Seed: func(testing.TB, *dynamotest.DB) {},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			if run == 0 {
				bucket = &messagingtest.Bucket{}
				bucket.Lay("mail/m1", mixed)
			}
			if err := on(client, bucket).Email(ctx, told(jobs, shop)); err != nil {
				return err
			}
			if keys := bucket.Keys(); len(keys) != 2 {
				return fmt.Errorf("in the bucket %v", keys)
			}
			return nil
		},
	})
	t.Logf("%d crash points", points)
}
