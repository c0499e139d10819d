package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The number of the card program, which nothing else has stopped, its admins, and a customer.
const (
	cardsPhone = "306540352242922"
	firstAdmin = "919811111111"
	otherAdmin = "919822222222"
	cardUser   = "919876511111"
)

// callCards calls every operation of cards, has admins and a stranger answer, notifications fail, and a request expire.
func callCards(t *testing.T, r *running) {
	t.Helper()
	engine := r.engine()
	r.serves(t, cardsPhone)
	c := &cardsClient{client{t: t, r: r, name: "cards"}, engine}
	c.want(http.StatusOK, http.MethodPut, "/v1/cards/program", `{"phoneNumberId":"`+cardsPhone+`","admins":[`+
		`{"id":"ravi","name":"Ravi","phone":"+`+firstAdmin+`"},{"id":"meena","name":"Meena","phone":"+`+otherAdmin+
		`","language":"hi"}]}`, nil)
	for _, path := range []string{
		"/v1/cards/program?tenantId=demo", "/v1/cards/audit-records?tenantId=demo",
		"/v1/cards/audit-records?actor=me"} {
		r.want(t, http.StatusOK, http.MethodGet, path, "")
	}
	asha := c.user(`{"name":"Asha","phone":"+` + cardUser + `","firebaseUid":"uid-asha","score":600}`)
	c.users(asha)
	card := c.answers(asha)
	c.uses(asha, card)
	c.decides()
	c.merges()
	c.fails()
	c.lists(asha, card)
	r.erase(t, "/v1/conversations/"+cardsPhone+":"+cardUser)
}

// merges has a user be known by a number, and then by a conversation under a user id.
func (c *cardsClient) merges() {
	c.t.Helper()
	const number, userID = "919876577331", "IN.876577331"
	c.user(`{"name":"Zoya","phone":"+` + number + `","score":600}`)
	for _, who := range []string{`"userId":"` + userID + `"`, `"from":"` + number + `","userId":"` + userID + `"`} {
		c.r.simulate(c.t, "/say", `{"phoneNumberId":"`+cardsPhone+`",`+who+`,"text":"hello"}`)
		var page struct{ Items []json.RawMessage }
		c.r.get(c.t, "/v1/conversations/"+cardsPhone+":"+userID+"/messages", &page,
			func() bool { return len(page.Items) > 0 })
	}
	var program struct{ Version int }
	c.r.get(c.t, "/v1/cards/program?tenantId=demo", &program, func() bool { // until the user is known by the user id
		return c.r.engine().Get(c.t.Context(), tables.CardUsers, keys.CardPhone("demo", userID),
			&struct{ LeadsTo string }{}) == nil
	})
}

// cardsClient calls the operations of cards.
type cardsClient struct {
	client
	engine *dynamo.Client
}

// made is what the operations return.
type made struct{ ID, Code, Status, CardID, Balance string }

// user creates a user, and returns the path of what is theirs.
func (c *cardsClient) user(body string) string {
	c.t.Helper()
	var user made
	c.want(http.StatusCreated, http.MethodPost, "/v1/cards/users", body, &user)
	return "/v1/cards/users/" + user.ID
}

// asks has a user ask for a card.
func (c *cardsClient) asks(user string) made {
	c.t.Helper()
	var request made
	c.want(http.StatusCreated, http.MethodPost, user+"/requests", `{"productId":"standard"}`, &request)
	return request
}

// becomes waits until a user's request has a status.
func (c *cardsClient) becomes(user string, request made, status string) made {
	c.t.Helper()
	var now made
	c.r.get(c.t, user+"/requests/"+request.ID, &now, func() bool { return now.Status == status })
	return now
}

// notified waits until the notifications about a request have these states, in whatever order.
func (c *cardsClient) notified(request made, want map[string]int) []string {
	c.t.Helper()
	var list struct{ Items []struct{ ID, State string } }
	c.r.get(c.t, "/v1/cards/notifications?requestId="+request.ID, &list, func() bool {
		got := map[string]int{}
		for _, n := range list.Items {
			got[n.State]++
		}
		for state, count := range want {
			if got[state] != count {
				return false
			}
		}
		return true
	})
	var failed []string
	for _, n := range list.Items {
		if n.State == "failed" {
			failed = append(failed, n.ID)
		}
	}
	return failed
}

// users changes a user, and finds them.
func (c *cardsClient) users(user string) {
	c.t.Helper()
	const reason = `{"reason":"asked for it"}`
	c.want(http.StatusOK, http.MethodPost, user+"/disable", reason, nil)
	c.want(http.StatusOK, http.MethodPost, user+"/enable", reason, nil)
	c.want(http.StatusCreated, http.MethodPost, user+"/scores", `{"value":610,"reason":"asked for it"}`, nil)
	for _, path := range []string{user, user + "/scores", "/v1/cards/users?firebaseUid=uid-asha"} {
		c.r.want(c.t, http.StatusOK, http.MethodGet, path, "")
	}
}

// answers has a user ask, a stranger and two admins answer, and returns the path of the card that comes of it.
func (c *cardsClient) answers(user string) string {
	c.t.Helper()
	// a status is faster and settles it
	c.r.simulate(c.t, "/faults", `{"match":{"to":"`+firstAdmin+`"},"delayAnswer":"3s"}`)
	request := c.asks(user)
	c.notified(request, map[string]int{"read": 2})
	say := func(from, what string) {
		c.r.simulate(c.t, "/say", `{"from":"`+from+`","phoneNumberId":"`+cardsPhone+`",`+what+`}`)
	}
	say(cardUser, `"text":"approve `+request.Code+`"`)
	say(otherAdmin, `"text":"approve"`) // which one?
	say(firstAdmin, `"button":"Approve"`)
	request = c.becomes(user, request, "approved")
	say(otherAdmin, `"text":"REJECT `+request.Code+` too much"`)
	for _, admin := range []string{firstAdmin, otherAdmin} {
		var page timeline
		want := map[string]int{firstAdmin: 3, otherAdmin: 5}[admin] // the question, and what they and the program said
		c.r.get(c.t, "/v1/conversations/"+cardsPhone+":"+admin+"/messages", &page,
			func() bool { return len(page.Messages) == want })
	}
	return user + "/cards/" + request.CardID
}

// uses buys and pays with a card, and closes it.
func (c *cardsClient) uses(user, card string) {
	c.t.Helper()
	var bought, refused, paid made
	c.want(http.StatusCreated, http.MethodPost, card+"/purchases", `{"amount":"120.50","merchant":"Haat"}`, &bought)
	c.want(http.StatusCreated, http.MethodPost, card+"/purchases", `{"amount":"10000"}`, &refused)
	c.want(http.StatusCreated, http.MethodPost, card+"/payments", `{"amount":"120.50"}`, &paid)
	if bought.Status != "completed" || refused.Status != "failed" || paid.Status != "completed" {
		c.t.Errorf("%+v, %+v, %+v", bought, refused, paid)
	}
	const reason = `{"reason":"asked for it"}`
	for _, verb := range []string{"suspend", "activate", "cancel"} {
		c.want(http.StatusOK, http.MethodPost, card+"/"+verb, reason, nil)
	}
	for _, path := range []string{
		card, user + "/cards?status=cancelled", card + "/transactions?type=purchase", card + "/transactions/" +
			bought.ID} {
		c.r.want(c.t, http.StatusOK, http.MethodGet, path, "")
	}
}

// decides has the tier and people decide requests by the API.
func (c *cardsClient) decides() {
	c.t.Helper()
	c.asks(c.user(`{"score":800}`))
	for _, verb := range []string{"approve", "reject"} {
		request := c.asks(c.user(`{"score":400}`))
		c.notified(request, map[string]int{"read": 2})
		c.want(http.StatusOK, http.MethodPost, "/v1/cards/requests/"+request.ID+"/"+verb, `{}`, nil)
	}
}

// fails has notifications fail and be sent again, by hand and by the schedule, and a request expire.
func (c *cardsClient) fails() {
	c.t.Helper()
	user := c.user(`{"name":"Ravi","phone":"+919876522222","score":600}`)
	c.r.simulate(c.t, "/faults", `{"match":{"to":"`+firstAdmin+`"},"fail":{"code":131026,"http":400}}`)
	expiring := c.asks(user)
	failed := c.notified(expiring, map[string]int{"failed": 1, "read": 1})
	c.want(http.StatusAccepted, http.MethodPost, "/v1/cards/notifications/"+failed[0]+"/resend", "", nil)
	c.notified(expiring, map[string]int{"read": 2})

	c.r.simulate(c.t, "/faults", `{"match":{"to":"`+otherAdmin+`"},"failStatus":{"code":131049,"title":"Not today"}}`)
	staying := c.asks(c.user(`{"score":600}`))
	failed = c.notified(staying, map[string]int{"failed": 1, "read": 1})
	ago := model.At(time.Now().Add(-time.Minute))
	c.ages(tables.WhatsAppNotifications, keys.Notification(model.Name(failed[0])), "nextRetryAt",
		tables.SortNextRetryAtNotificationID, ago, failed[0])
	c.ages(tables.PendingApprovals, keys.Approval(model.Name(expiring.ID)), "expiresAt", tables.SortExpiresAtRequestID,
		ago, expiring.ID)
	c.r.want(c.t, http.StatusOK, http.MethodGet, "/v1/cards/notifications?due=true", "")
	if _, err := c.r.Trigger(c.t.Context(), "approvals-sweep"); err != nil {
		c.t.Fatal(err)
	}
	c.becomes(user, expiring, "rejected")
	c.notified(staying, map[string]int{"read": 2})
	c.notified(expiring, map[string]int{"read": 3})
}

// ages moves what waits into the past, with the index that finds it.
func (c *cardsClient) ages(table tables.Table, key keys.Key, attribute, index string, at model.Time, id string) {
	c.t.Helper()
	err := c.engine.Update(c.t.Context(), dynamo.Update{
		Table: table, Key: key, Do: "SET #at = :at, #sort = :sort", If: "attribute_exists(#" + key.PartitionName + ")",
		Names:  map[string]string{"#at": attribute, "#sort": index},
		Values: dynamo.Item{":at": dynamo.S(at), ":sort": dynamo.S(keys.Joined(at, id))},
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// lists reads every list on every index.
func (c *cardsClient) lists(user, card string) {
	c.t.Helper()
	for _, path := range []string{
		user + "/requests",
		"/v1/cards/requests", "/v1/cards/requests?tier=low", "/v1/cards/requests?tenantId=demo&status=approved",
		"/v1/cards/requests?tenantId=demo&tier=medium",
		"/v1/cards/request-counts", "/v1/cards/request-counts?tenantId=demo",
		"/v1/cards/notifications?state=read", "/v1/cards/notifications?tenantId=demo&state=read",
		"/v1/cards/audit-records?userId=" + url.QueryEscape(user[len("/v1/cards/users/"):]),
	} {
		var page struct{ Items []json.RawMessage }
		c.r.get(c.t, path, &page, func() bool { return true })
		if path[len("/v1/cards/"):][:8] == "requests" && len(page.Items) == 0 {
			c.t.Errorf("%s is empty", path)
		}
	}
	c.r.want(c.t, http.StatusOK, http.MethodGet, card, "")
}
