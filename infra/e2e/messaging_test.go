package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// callMessaging calls every operation of messaging, and has WhatsApp post what its consumers can meet.
func callMessaging(t *testing.T, r *running) {
	t.Helper()
	const id = "106540352242922:919876500001"
	messages := "/v1/conversations/" + id + "/messages"
	r.simulate(t, "/say", `{"from":"919876500001","text":"hello"}`)
	r.simulate(t, "/say",
		`{"from":"919876500001","message":{"type":"image","image":{"id":"media9","mime_type":"image/jpeg"}}}`)
	r.fetches(t)
	r.uploads(t, messages)
	r.simulate(t, "/webhook",
		`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398",`+
			`"changes":[{"field":"user_id_update","value":{`+
			`"metadata":{"phone_number_id":"106540352242922"},"user_id_update":[{"wa_id":"919876500001",`+
			`"user_id":{"previous":"IN.1","current":"IN.2"}}]}}]}]}`)
	r.simulate(t, "/webhook",
		`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398",`+
			`"changes":[{"field":"phone_number_quality_update","value":{`+
			`"display_phone_number":"15550783881","event":"FLAGGED","current_limit":"TIER_10K"}}]}]}`)
	var numbers struct {
		Items []struct{ QualityRating, MessagingLimit string }
	}
	r.get(t, "/v1/numbers", &numbers, func() bool {
		return len(numbers.Items) == 1 && numbers.Items[0].QualityRating == "RED" &&
			numbers.Items[0].MessagingLimit == "TIER_10K"
	})
	var list inbox
	r.get(t, "/v1/conversations", &list,
		func() bool { return len(list.Conversations) == 1 && list.Conversations[0].UnreadCount == 2 })
	for _, mark := range []string{"read", "unread", "archive", "unarchive"} {
		r.want(t, http.StatusNoContent, http.MethodPost, "/v1/conversations/"+id+"/"+mark, "")
	}
	r.simulate(t, "/faults", `{"delayAnswer":"3s"}`) // a status is faster and settles it
	r.keyed(t, messages+"/text", `{"body":"one"}`)
	var page timeline
	read := func(n int) func() bool {
		return func() bool {
			count := 0
			for _, m := range page.Messages {
				if m.Delivery != nil && m.Delivery.Status == "read" {
					count++
				}
			}
			return count == n
		}
	}
	r.get(t, messages, &page, read(2))
	r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"two"}`)
	r.get(t, messages, &page, read(3))
	r.want(t, http.StatusOK, http.MethodGet, "/v1/messages/"+url.PathEscape(page.Messages[0].ID), "")

	r.simulate(t, "/faults", `{"fail":{"code":131026,"http":400}}`)
	r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"three"}`)
	var dead struct{ Items []struct{ ID string } }
	r.get(t, "/v1/outbox?state=dead_letter&tenantId=demo", &dead, func() bool { return len(dead.Items) == 1 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/outbox?state=sent", "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/outbox/"+dead.Items[0].ID+"/replay", "")

	var logged struct{ Items []struct{ ID string } }
	r.get(t, "/v1/webhook-events?kind=message", &logged, func() bool { return len(logged.Items) > 0 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/webhook-events/"+logged.Items[0].ID, "")
	r.want(t, http.StatusOK, http.MethodGet, "/v1/webhook-events?failed=true&wabaId=102290129340398", "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/webhook-events/"+logged.Items[0].ID+"/replay", "")
	owner := r.mint(t, "tenant:demo") // no platform operator: the account's owner is looked up
	if status, body := r.callAs(t, owner, http.MethodGet, "/v1/webhook-events?wabaId=102290129340398",
		""); status != http.StatusOK {
		t.Fatalf("the account's log: %d %s", status, body)
	}
	r.want(t, http.StatusOK, http.MethodGet, "/v1/audit-records?actor=me", "")
	r.want(t, http.StatusOK, http.MethodGet, "/v1/numbers", "")
	r.want(t, http.StatusNoContent, http.MethodPost, "/v1/numbers/106540352242922/resume", "")
	r.otherEvents(t)
	r.learnsLate(t)
	r.stopAndSweep(t, messages)
	r.want(t, http.StatusOK, http.MethodGet, "/v1/numbers", "") // what waits for a stopped one is counted
	r.simulate(t, "/say", `{"from":"919876500002","text":"hello"}`)
	var changed struct{ Address string }
	r.get(t, "/v1/conversations/106540352242922:919876500002", &changed,
		func() bool { return changed.Address == "919876500002" })
	r.simulate(t, "/say",
		`{"from":"919876500002","message":{"type":"system","system":{"type":"user_changed_number",`+
			`"wa_id":"919876500003"}}}`)
	r.get(t, "/v1/conversations/106540352242922:919876500002", &changed,
		func() bool { return changed.Address == "919876500003" })
	r.simulate(t, "/webhook",
		`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398",`+
			`"changes":[{"field":"user_id_update","value":{`+
			`"metadata":{"phone_number_id":"106540352242922"},"user_id_update":[{"wa_id":"919876500001",`+
			`"user_id":{"previous":"IN.2","current":"IN.3"}}]}}]}]}`)
	// by an alias; one whose number somebody else may have by now
	for _, customer := range []string{"IN.3", "919876500002"} {
		r.erase(t, "/v1/conversations/106540352242922:"+customer)
	}
}

// fetches waits until a file is in the bucket, and reads it under its link.
func (r *running) fetches(t *testing.T) {
	t.Helper()
	var file struct {
		URL  string
		Size int64
	}
	r.get(t, "/v1/media/media9", &file, func() bool { return file.Size > 0 })
	response, err := http.Get(file.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK || response.ContentLength != file.Size {
		t.Errorf("the file under its link: %d, %d bytes", response.StatusCode, response.ContentLength)
	}
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/media/media9/fetch", "")
}

// uploads puts a file under its link, has it uploaded to WhatsApp, and sends it. It returns the id of the file.
func (r *running) uploads(t *testing.T, messages string) string {
	t.Helper()
	const numbers, picture = "/v1/numbers/106540352242922/media", "\x89PNG\r\n\x1a\n a menu"
	status, body := r.call(t, http.MethodPost, numbers,
		`{"contentType":"image/png","size":`+strconv.Itoa(len(picture))+`}`)
	var begun struct{ ID, URL string }
	if err := json.Unmarshal([]byte(body), &begun); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	put, err := http.NewRequestWithContext(t.Context(), http.MethodPut, begun.URL, strings.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	put.Header.Set("Content-Type", "image/png")
	response, err := http.DefaultClient.Do(put)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	r.want(t, http.StatusAccepted, http.MethodPut, numbers+"/"+begun.ID, `{"filename":"menu.png"}`)
	var file struct {
		Sendable []struct{ PhoneNumberID string }
	}
	r.get(t, "/v1/media/"+begun.ID, &file, func() bool { return len(file.Sendable) == 1 })
	r.want(t, http.StatusAccepted, http.MethodPut, numbers+"/media9", "{}") // one that a customer has sent
	file.Sendable = nil
	r.get(t, "/v1/media/media9", &file, func() bool { return len(file.Sendable) == 1 })
	r.want(t, http.StatusAccepted, http.MethodPost, messages+"/image", `{"mediaId":"`+begun.ID+`"}`)
	var page timeline
	r.get(t, messages, &page, func() bool {
		return len(page.Messages) > 0 && page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "read"
	})
	return begun.ID
}

// otherEvents has WhatsApp tell of what are no messages, and has an account's templates listed.
func (r *running) otherEvents(t *testing.T) {
	t.Helper()
	const conversation = "/v1/conversations/106540352242922:919876500001"
	now := strconv.FormatInt(time.Now().Unix(), 10)
	for field, value := range map[string]string{
		"calls": `"calls":[{"id":"wacid.1","event":"connect","from":"919876500001",` +
			`"to":"15550783881","direction":"USER_INITIATED","timestamp":"` + now + `"}]`,
		"group_participants_update": `"groups":[{"type":"group_participants_add","group_id":"G1","timestamp":"` +
			now + `","added_participants":[{"wa_id":"919876500001"}]}]`,
		"user_preferences": `"user_preferences":[{"wa_id":"919876500001",` +
			`"category":"marketing_messages","value":"stop","timestamp":` + now + `}]`,
		"smb_app_state_sync": `"state_sync":[{"type":"contact","action":"add",` +
			`"contact":{"full_name":"Asha","phone_number":"919876500001"},"metadata":{"timestamp":"` + now + `"}}]`,
		"message_template_status_update": `"event":"PAUSED","message_template_name":"offer",` +
			`"message_template_language":"en-US"`,
		"business_capability_update": `"max_daily_conversations_per_business":10000`,
		"messages": `"statuses":[{"id":"wamid.paid","status":"captured","type":"payment","timestamp":"` + now +
			`","recipient_id":"919876500001",` +
			`"payment":{"reference_id":"R1","amount":{"value":100,"offset":100},"currency":"INR"}}]`,
	} {
		r.simulate(t, "/webhook",
			`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"`+field+
				`","value":{`+
				`"messaging_product":"whatsapp","metadata":{"phone_number_id":"106540352242922"},`+value+`}}]}]}`)
	}
	for _, state := range []string{"DISABLE", "REINSTATE"} {
		r.simulate(t, "/webhook",
			`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398",`+
				`"changes":[{"field":"account_update","value":{`+
				`"event":"DISABLED_UPDATE","ban_info":{"waba_ban_state":"`+state+`"}}}]}]}`)
		var numbers struct{ Items []struct{ Forbidden string } }
		r.get(t, "/v1/numbers", &numbers, func() bool {
			forbidden := numbers.Items[0].Forbidden
			numbers.Items = nil // an absent member would leave what was decoded before
			return (forbidden != "") == (state == "DISABLE")
		})
	}
	var calls, groups, templates struct{ Items []struct{ ID string } }
	r.get(t, conversation+"/calls", &calls, func() bool { return len(calls.Items) == 1 })
	r.get(t, "/v1/groups?phoneNumberId=106540352242922", &groups, func() bool { return len(groups.Items) == 1 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/groups/G1", "")
	const orders = "/v1/numbers/106540352242922/payment-orders"
	var paid struct {
		Items []struct{ ReferenceID, Status string }
	}
	r.get(t, orders, &paid, func() bool { return len(paid.Items) == 1 && paid.Items[0].Status == "unconfirmed" })
	r.want(t, http.StatusOK, http.MethodGet, orders+"/R1", "")
	r.endToken(t, time.Now().AddDate(0, 0, 7))
	if _, err := r.Trigger(t.Context(), "templates-sync"); err != nil {
		t.Fatal(err)
	}
	r.get(t, "/v1/templates?wabaId=102290129340398&status=APPROVED", &templates,
		func() bool { return len(templates.Items) > 0 })
	r.want(t, http.StatusOK, http.MethodGet, "/v1/templates/"+templates.Items[0].ID, "")
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/template-syncs", `{"wabaId":"102290129340398"}`)
}

// learnsLate has two customers write before and after somebody else got their number, or user id, and the notices come
// last: messages move then.
func (r *running) learnsLate(t *testing.T) {
	t.Helper()
	began := time.Now()
	at := func(secondsAgo int) string { return strconv.FormatInt(began.Unix()-int64(secondsAgo), 10) }
	post := func(field, value string) {
		r.simulate(t, "/webhook",
			`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"`+field+
				`","value":{`+
				`"messaging_product":"whatsapp","metadata":{"phone_number_id":"106540352242922"},`+value+`}}]}]}`)
	}
	text := func(id, from, when string) string {
		return `{"id":"` + id + `","timestamp":"` + when + `","type":"text","text":{"body":"hello"},` + from + `}`
	}
	const number, userID = `"from":"919876500004"`, `"from_user_id":"IN.70"`
	post("messages", `"messages":[`+text("wamid.late1", number, at(120))+`,`+text("wamid.late2", number, at(10))+`,`+
		text("wamid.late3", userID, at(120))+`,`+text("wamid.late4", userID, at(10))+`]`)
	var one struct{ UnreadCount int }
	for _, customer := range []string{"919876500004", "IN.70"} {
		r.get(t, "/v1/conversations/106540352242922:"+customer, &one, func() bool { return one.UnreadCount == 2 })
	}
	post("messages",
		`"messages":[{"id":"wamid.late5","timestamp":"`+at(60)+`","type":"system",`+number+
			`,"system":{"type":"user_changed_number","wa_id":"919876500005"}}]`)
	post("user_id_update",
		`"user_id_update":[{"user_id":{"previous":"IN.70","current":"IN.71"},"timestamp":"`+at(60)+`"}]`)
	for _, customer := range []string{"919876500005", "IN.71"} {
		r.get(t, "/v1/conversations/106540352242922:"+customer, &one, func() bool { return one.UnreadCount == 1 })
	}
}

// erase erases a customer and sees the proof.
func (r *running) erase(t *testing.T, conversation string) {
	t.Helper()
	r.eraseWith(t, conversation, `{"reason":"asked for it"}`)
}

func (r *running) eraseWith(t *testing.T, conversation, request string) {
	t.Helper()
	r.export(t, conversation[strings.LastIndex(conversation, ":")+1:])
	status, body := 0, ""
	for range 100 { // until the alias is there, and then until nothing is left
		time.Sleep(50 * time.Millisecond)
		if status, body = r.call(t, http.MethodPost, conversation+"/erase", request); strings.Contains(body,
			`"complete":true`) {
			r.want(t, http.StatusOK, http.MethodGet, conversation+"/audit", "")
			return
		}
	}
	t.Fatalf("%s is not erased: %d %s", conversation, status, body)
}

// export exports the person who has an address.
func (r *running) export(t *testing.T, address string) {
	t.Helper()
	query := "?limit=100"
	for {
		status, body := r.call(t, http.MethodPost, "/v1/exports"+query,
			`{"address":"`+address+`","reason":"asked for it"}`)
		var page struct{ Cursor string }
		if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK {
			t.Fatalf("%s is not exported: %d %s", address, status, body)
		}
		if page.Cursor == "" {
			return
		}
		query = "?limit=100&cursor=" + url.QueryEscape(page.Cursor)
	}
}

// stopAndSweep stops the sender, so that a message stays where only the sweep finds it.
func (r *running) stopAndSweep(t *testing.T, messages string) {
	t.Helper()
	r.simulate(t, "/faults", `{"fail":{"code":190,"http":401}}`)
	for _, text := range []string{"four", "five"} {
		r.want(t, http.StatusAccepted, http.MethodPost, messages+"/text", `{"body":"`+text+`"}`)
	}
	var failed struct{ Items []struct{ ID string } }
	r.get(t, "/v1/outbox?state=failed", &failed, func() bool { return len(failed.Items) > 0 })
	// the second waits there, or is parked already
	r.want(t, http.StatusOK, http.MethodGet, "/v1/outbox?state=pending", "")
	r.want(t, http.StatusOK, http.MethodGet, "/v1/search?q=rice", "")
	r.appendUnknown(t) // nothing else may be left for the sweep
	// the sweep leaves what is younger to the stream
	time.Sleep(6 * time.Second)
	for _, schedule := range []string{
		"outbox-sweep", "inbound-sweep", "status-sweep", "slow-lane-sweep", "search-gathering"} {
		if _, err := r.Trigger(t.Context(), schedule); err != nil {
			t.Fatal(err)
		}
	}
}
