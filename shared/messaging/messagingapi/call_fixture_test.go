package messagingapi

import (
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// hasCall stores a call of a customer's that is under way.
func (w *world) hasCall(id model.Name, phone model.PhoneNumberID, who model.CustomerID) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Call{
		PK: keys.Call(id).Partition, ItemType: model.ItemCall, CallID: string(id), From: string(who),
		PhoneNumberID: phone, CustomerID: who, CalledBy: "customer", Status: model.CallInitiated,
		FromPK: keys.CallsOf(phone, who), ReceivedAt: model.At(minutesAgo(4)), Version: 1,
	})
}

// mayCall stores what Meta has said about calling a person.
func (w *world) mayCall(phone model.PhoneNumberID, who model.CustomerID) {
	w.t.Helper()
	w.entry(phone, numbers.KindCallPermission, keys.Blocked(phone, who), who,
		`{"permission":{"status":"temporary","expirationTime":1795262400},"actions":[{"actionName":"start_call",`+
			`"canPerformAction":true,"limits":[{"timePeriod":"PT24H","maxAllowed":5,"currentUsage":0}]}]}`)
}

// callRequests are the requests that name somebody's calls.
func callRequests() map[string]func(b belongings) []request {
	of := func(path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/conversations/" + b.conversation + path, Body: body}}
		}
	}
	missed := func(body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/missed-call-answer", Body: body}}
		}
	}
	ends := func(path string) func(b belongings) []request {
		return func(b belongings) []request {
			return of("/calls/"+path, `{"callId":"wacid.`+path+b.phone+`"}`)(b)
		}
	}
	return map[string]func(b belongings) []request{
		"reject-call": ends("reject"), "terminate-call": ends("terminate"),
		"get-call-permission":     of("/call-permission", ""),
		"look-up-call-permission": of("/call-permission/look-up", ""),
		"get-missed-call-answer":  missed(""), "put-missed-call-answer": missed(`{"text":"We call you back."}`),
		"delete-missed-call-answer": missed(""),
	}
}

// callCalls are the ways to call the operations on calls that change something.
func callCalls() map[string][]call {
	has := func(w *world) string { w.hasCall("wacid.A", number, asha); return "" }
	none := func(*world) string { return "" }
	const missed = "/v1/numbers/" + number + "/missed-call-answer"
	return map[string][]call{
		"reject-call":    {{name: "one", prepare: has, path: toAsha + "/calls/reject", body: `{"callId":"wacid.A"}`}},
		"terminate-call": {{name: "one", prepare: has, path: toAsha + "/calls/terminate", body: `{"callId":"wacid.A"}`}},
		"look-up-call-permission": {{name: "never asked", prepare: none, path: toAsha + "/call-permission/look-up"},
			{name: "known", prepare: func(w *world) string { w.mayCall(number, asha); return "" },
				path: toAsha + "/call-permission/look-up"}},
		"put-missed-call-answer": {{name: "a first one", prepare: none, path: missed, body: `{"text":"Write to us."}`}},
		"delete-missed-call-answer": {{name: "one that is there", prepare: func(w *world) string {
			phone := model.Phone{PhoneNumberID: number, TenantID: shop}
			if _, err := w.rooms.Calls.AnswerMissed(w.t.Context(), phone, "Write to us.", "user-1"); err != nil {
				w.t.Fatal(err)
			}
			return ""
		}, path: missed}},
	}
}
