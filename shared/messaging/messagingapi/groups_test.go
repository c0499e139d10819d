package messagingapi

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestAGroupThatIsAskedForIsListed(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	create := func(key, body string) answer {
		return w.do(request{By: operator(shop), Method: http.MethodPost, Path: "/v1/groups", Body: body,
			Headers: map[string]string{"idempotency-key": key}})
	}
	body := `{"phoneNumberId":"` + number + `","name":" Rice "}`
	var made group
	create("k1", body).Want(t, http.StatusAccepted, &made)
	var again group
	create("k1", body).Want(t, http.StatusAccepted, &again)
	if made.ID != again.ID || made.Name != "Rice" || made.State != "creating" || made.Asked.Wish != groups.Create ||
		made.JoinApprovalMode != groups.AutoApprove || made.Asked.AnsweredAt != "" {
		t.Errorf("%+v, %+v", made, again)
	}
	var page groupList
	w.get(operator(shop), "/v1/groups", url.Values{"phoneNumberId": {number}}).Want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != made.ID {
		t.Errorf("%+v", page)
	}
	p := w.post(operator(shop), "/v1/groups/"+made.ID+"/look-up", nil).WantProblem(t, http.StatusConflict)
	if !strings.HasSuffix(p.Type, "group-not-made") {
		t.Errorf("%+v", p)
	}
	create("k2", `{"phoneNumberId":"`+number+`","name":"  "}`).WantProblem(t, http.StatusUnprocessableEntity)
}

// An id of a group is base64, and may contain slashes.
func TestAGroupIsAskedAboutByAnIDWithSlashes(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	const id = "Y2Fw/aV9n+cm91cA=="
	w.hasGroup(id, number, waba, "Rice", asha)
	var shown group
	w.post(operator(shop), "/v1/groups/"+id+"/remove-participants",
		wt.Object{"participants": wt.List{asha, asha}}).Want(t, http.StatusAccepted, &shown)
	if shown.Asked.Wish != groups.Remove || shown.Asked.By == "" || len(shown.Participants) != 1 ||
		shown.JoinRequests != 2 {
		t.Errorf("%+v", shown)
	}
	w.post(operator(shop), "/v1/groups/"+id+"/join-requests/approve",
		wt.Object{"joinRequestIds": wt.List{"j1"}}).WantProblem(t, http.StatusConflict)
	w.do(request{By: operator(shop), Method: http.MethodPatch, Path: "/v1/groups/" + id,
		Body: `{}`}).WantProblem(t, http.StatusUnprocessableEntity)
	var asking struct{ Items []joinRequest }
	w.get(operator(shop), "/v1/groups/"+url.PathEscape(id)+"/join-requests", nil).Want(t, http.StatusOK, &asking)
	if len(asking.Items) != 2 || asking.Items[0].ID != "j1" || asking.Items[0].CustomerID != asha {
		t.Errorf("%+v", asking)
	}
}

func TestTheMessagesOfAGroupAreListed(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "700000000000077", waba)
	w.hasGroup("group-1", number, waba, "Rice", asha)
	for id, of := range map[string]struct {
		phone     model.PhoneNumberID
		direction model.Direction
		minutes   int
	}{
		"wamid.1": {number, model.Inbound, 3}, "wamid.2": {number, model.Outbound, 2},
		"wamid.3": {number, model.Inbound, 1}, "wamid.THEIRS": {"700000000000077", model.Inbound, 1},
	} {
		at := model.At(minutesAgo(of.minutes))
		w.db.Seed(t, tables.Messages, model.Message{
			PK: keys.Message(model.MessageID(id)).Partition, ItemType: model.ItemMessage, Direction: of.direction,
			ConversationPK: keys.Conversation(of.phone, "group-1").Partition, GroupID: "group-1", ReceivedAt: at,
			SentAt: at, Type: "text", TextBody: id, From: asha})
	}
	for query, want := range map[string]string{
		"":                   "wamid.3 wamid.2 wamid.1",
		"direction=inbound":  "wamid.3 wamid.1",
		"direction=outbound": "wamid.2",
		"before=" + string(model.At(minutesAgo(1))): "wamid.2 wamid.1",
		"since=" + string(model.At(minutesAgo(2))):  "wamid.3 wamid.2",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var page messageList
		w.get(operator(shop), "/v1/groups/group-1/group-messages", values).Want(t, http.StatusOK, &page)
		var ids []string
		for _, m := range page.Items {
			ids = append(ids, m.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestCallsAreFilteredAndEnded(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.1", "hi", minutesAgo(1)))
	w.hasCall("wacid.RINGS", number, asha)
	w.hasCall("wacid.RAVIS", number, "918888888888")
	w.db.Seed(t, tables.Messages, model.Call{
		PK: keys.Call("wacid.MISSED").Partition, ItemType: model.ItemCall, CallID: "wacid.MISSED",
		PhoneNumberID: number, CustomerID: asha, CalledBy: "customer", Status: model.CallFailed,
		MissedAnswer: "queued-1",
		FromPK:       keys.CallsOf(number, asha), ReceivedAt: model.At(minutesAgo(5)), Version: 1})
	for query, want := range map[string]int{
		"": 2, "missed=true": 1, "calledBy=business": 0, "calledBy=customer": 2} {
		values, _ := url.ParseQuery(query)
		var page callList
		if w.get(operator(shop), toAsha+"/calls", values).Want(t, http.StatusOK, &page); len(page.Items) != want {
			t.Errorf("%s: %+v", query, page.Items)
		}
	}
	end := func(id, how string) answer {
		return w.post(operator(shop), toAsha+"/calls/"+how, wt.Object{"callId": id})
	}
	var shown customerCall
	end("wacid.RINGS", "reject").Want(t, http.StatusAccepted, &shown)
	if shown.Asked.Wish != "reject" || shown.Asked.By == "" {
		t.Errorf("%+v", shown)
	}
	shown = customerCall{}
	end("wacid.MISSED", "terminate").Want(t, http.StatusAccepted, &shown) // it has ended: no error
	if shown.Asked != nil || shown.MissedAnswer != "queued-1" {
		t.Errorf("%+v", shown)
	}
	for _, id := range []string{"wacid.RAVIS", "wacid.NONE"} {
		end(id, "reject").WantProblem(t, http.StatusNotFound)
	}
}

func TestTheAnswerToMissedCallsIsSet(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	const path = ofNumber + "/missed-call-answer"
	var is missedAnswer
	w.get(operator(shop), path, nil).Want(t, http.StatusOK, &is)
	if is != (missedAnswer{}) {
		t.Errorf("%+v", is)
	}
	w.put(operator(shop), path, `{"text":" "}`).WantProblem(t, http.StatusUnprocessableEntity)
	w.put(operator(shop), path, `{"text":"We call you back."}`).Want(t, http.StatusOK)
	w.get(operator(shop), path, nil).Want(t, http.StatusOK, &is)
	if is.Text != "We call you back." || is.Since == "" {
		t.Errorf("%+v", is)
	}
	w.do(request{By: operator(shop), Method: http.MethodDelete, Path: path}).Want(t, http.StatusOK, &is)
	if is.Text != "" {
		t.Errorf("%+v", is)
	}
}
