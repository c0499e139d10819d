package conversationsapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// before is a transport that is told each call before the engine gets it. The call is answered with what it returns,
// unless that is nil.
type before func(operation, body string) *http.Response

func (b before) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	if answer := b(operation, string(body)); answer != nil {
		return answer, nil
	}
	return http.DefaultTransport.RoundTrip(request)
}

// Two messages of somebody new that come so quickly that the index shows nothing yet open one conversation.
func TestTwoQuickFirstMessagesOpenOneConversation(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	hidden := 0
	behind := before(func(operation, body string) *http.Response {
		if operation != "Query" || !strings.Contains(body, tables.IndexTalksByWhatsApp) {
			return nil
		}
		hidden++
		none := `{"Count":0,"Items":[],"ScannedCount":0}`
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: int64(len(none)),
			Body: io.NopCloser(strings.NewReader(none))}
	})
	w := firmIn(worldWith(t, db, db.Through(behind), dynamotest.IDs("01a1fbae-3de3-707d-9ea0-%012d")))
	w.projectIs(1, `"rules":{"initialMessage":true},`)
	w.says(w.text(asha, "wamid.1", "any jobs?"), w.text(asha, "wamid.2", "hello?"))
	var entries []string
	for _, item := range db.Items(t, tables.Conversations) {
		if dynamo.Text(item, "company_id") != "" && dynamo.Text(item, "request_id") != "" {
			var c conversationsmodel.Conversation
			w.must(dynamo.Unmarshal(item, &c))
			entries = append(entries, fmt.Sprint(c.RequestID, c.Entries))
		}
	}
	if len(entries) != 1 || !strings.HasSuffix(entries[0], "2") || hidden == 0 {
		t.Errorf("conversations with entries: %v, hidden %d", entries, hidden)
	}
}

// Somebody who shows no number any more, because it has passed on, opens no conversation.
func TestANumberThatPassedOnOpensNoConversation(t *testing.T) {
	w := firm(t)
	w.projectIs(1, `"rules":{"initialMessage":true},`)
	w.now = w.now.Add(1)
	for customer, opens := range map[model.CustomerID]bool{"IN.123": false, "919811111111": true} {
		claimed, err := w.domain.Replies.Subscription().React(t.Context(), inbound.Message{
			ID: model.MessageID("wamid." + customer), Phone: wt.Phone, Customer: customer,
			Customers: []model.CustomerID{customer}, Channel: model.ChannelWhatsApp, Live: true,
			At: model.At(w.now), Kind: "text", Text: "any jobs?"})
		if !opens && (claimed || err != nil) || opens && !claimed {
			t.Errorf("%s: claimed %t, %v", customer, claimed, err)
		}
	}
}

// A person who gets another key at one number keeps the old one in the conversations of the other numbers.
func TestAKeyThatChangesAtOneNumberStaysAtTheOthers(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	tenant := w.stored(asha, "r1").TenantID
	for _, step := range []struct {
		phone model.PhoneNumberID
		want  model.CustomerID
	}{{"106540352242999", asha}, {wt.Phone, "IN.123"}, {wt.Phone, "IN.123"}} {
		w.must(w.domain.Part().Rekey(t.Context(), contacts.Rekeyed{
			Tenant: tenant, Phone: step.phone, From: asha, To: "IN.123"}))
		if c := w.stored(asha, "r1"); c.Customer != step.want || c.RecipientTel != "+"+asha {
			t.Errorf("after a change at %s: %s", step.phone, c.Customer)
		}
	}
}

func atNoon() time.Time { return noon }

// Two lists that are uploaded at the same time: whoever reads gets all of one of them.
func TestTwoListsThatAreUploadedAtOnceDoNotMix(t *testing.T) {
	db := dynamotest.Start(t, tables.Conversations)
	list := func(name string) (all []faq.Entry) {
		for n := range 150 { // two parts
			all = append(all, faq.Entry{
				ID: fmt.Sprint(name, n), Question: fmt.Sprint("What is ", name, n, "?"),
				Answer: strings.Repeat(name, 1900)})
		}
		return all
	}
	first, second := list("a"), list("b")
	set := func(client *dynamo.Client, entries []faq.Entry) error {
		l := &questions.Lists{DB: client, Now: atNoon}
		return l.Set(t.Context(), "demo", "ci-1", "pi-1", entries)
	}
	var once sync.Once
	var inner error
	interrupted := db.Through(before(func(operation, body string) *http.Response {
		if operation == "PutItem" && strings.Contains(body, `"parts"`) { // the head of the first list
			once.Do(func() { inner = set(db.Client, second) })
		}
		return nil
	}))
	err := set(interrupted, first)
	if !errors.Is(err, dynamo.ErrConflict) || inner != nil {
		t.Errorf("%v, %v", err, inner)
	}
	for _, want := range [][]faq.Entry{second, first} {
		stored, err := (&questions.Lists{DB: db.Client, Now: atNoon}).Get(t.Context(), "ci-1", "pi-1")
		if err != nil || !slices.Equal(stored, want) {
			t.Errorf("%d entries, %v", len(stored), err)
		}
		if err := set(db.Client, first); err != nil {
			t.Error(err)
		}
	}
}
