package conversationsapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A long conversation stays small, is read whole and in order, is in each list once, and is exported and erased whole.
func TestALongConversationIsKeptReadExportedAndErasedWhole(t *testing.T) {
	w := firm(t)
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	w.deliver(w.stored(asha, "r1").OutboxEventID)
	const many = 200
	for i := range many {
		w.says(w.text(asha, fmt.Sprintf("wamid.%d", i), fmt.Sprintf("reply %03d %s", i, strings.Repeat("x", i%7*40))))
	}
	c := w.stored(asha, "r1")
	item, err := dynamo.Marshal(&c)
	w.must(err)
	if size := dynamo.Size(item); size > 3<<10 || c.Continuations == 0 || c.Entries != many+1 {
		t.Fatalf("%d bytes, %d continuations, %d entries", size, c.Continuations, c.Entries)
	}
	whole := w.talk(asha, "r1")
	for i, m := range whole.Messages[1:] {
		if !strings.HasPrefix(m.Text, fmt.Sprintf("reply %03d", i)) {
			t.Fatalf("number %d says %s", i, m.Text)
		}
	}
	w.says(w.edit("wamid.edit", "wamid.0", "reply 000 edited"), w.revoke("wamid.revoke", "wamid.1"))
	if whole = w.talk(asha, "r1"); whole.Messages[1].Text != "reply 000 edited" || whole.Messages[2].Text != "" ||
		len(whole.Messages) != many+1 {
		t.Errorf("an entry that has moved is not changed: %+v", whole.Messages[:3])
	}
	for _, list := range []string{
		"/conversations", "/conversations?projectId=pi-1", "/addresses/whatsapp/conversations",
		"/recipients/+" + asha + "/conversations", "/recipients/+" + asha + "/states/with_person",
		"/recipients/+" + asha + "/tasks/complete", "/recipients/+" + asha + "/channels/whatsapp",
	} {
		var rows talkListOutput
		w.do(http.MethodGet, company+list, "", "").Want(t, http.StatusOK, &rows.Body)
		if len(rows.Body.Items) != 1 {
			t.Errorf("%s has %d rows", list, len(rows.Body.Items))
		}
	}
	tenant := model.TenantID(apitest.TenantOf("1"))
	records, _, err := w.rooms.Exports.Page(t.Context(), export.Person{
		Tenant: tenant, At: []export.Named{{Phone: wt.Phone, Customer: asha}}}, "", 10000, func() bool { return true })
	w.must(err)
	replies := 0
	for _, r := range records {
		if r.Domain == "conversations" {
			replies += strings.Count(string(r.Data), "reply ")
		}
	}
	if replies != many-1 { // one was deleted
		t.Errorf("%d replies are exported", replies)
	}
	done, err := w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: tenant, Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" || done.Counts["companyConversations"] != 1 {
		t.Errorf("%+v %v", done, err)
	}
	for _, row := range w.db.Items(t, tables.Conversations) {
		if key := dynamo.Text(row, "primary_channel"); key == "+"+asha || strings.HasPrefix(key, "MESSAGE#") {
			t.Errorf("not erased: %v", row)
		}
	}
}

// A message that comes late stands where it belongs.
func TestALateMessageStandsInItsPlace(t *testing.T) {
	w := firm(t)
	c := conversationsmodel.Conversation{
		CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1", RecipientTel: "+" + asha, ChannelMethod: "whatsapp"}
	c.SetKeys()
	for _, minute := range []int{1, 3, 2} {
		_, err := (&talks.Talks{DB: w.db.Client, Now: w.rooms.Now}).Write(&c, conversationsmodel.Entry{
			MessageTimestamp: model.At(noon.Add(time.Duration(minute) * time.Minute)), Content: fmt.Sprint(minute)})
		w.must(err)
	}
	if got := c.Messages[0].Content + c.Messages[1].Content + c.Messages[2].Content; got != "123" {
		t.Error(got)
	}
}
