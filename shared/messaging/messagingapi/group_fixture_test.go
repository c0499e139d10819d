package messagingapi

import (
	"net/url"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// onGroups are the operations on a group: what its id ends with in the walk, so that each has a group of its own, its
// path and its body.
var onGroups = map[string]struct{ end, path, body string }{
	"get-group": {}, "list-join-requests": {path: "/join-requests"}, "list-group-messages": {path: "/group-messages"},
	"change-group":              {end: "-change", body: `{"name":"Rice and dal"}`},
	"put-group-picture":         {end: "-picture", path: "/group-picture", body: `{"mediaId":"{group}-photo"}`},
	"delete-group":              {end: "-delete"},
	"look-up-group":             {end: "-look-up", path: "/look-up"},
	"reset-group-link":          {end: "-reset", path: "/reset-link"},
	"remove-group-participants": {end: "-remove", path: "/remove-participants", body: `{"participants":["919876543210"]}`},
	"approve-join-requests":     {end: "-approve", path: "/join-requests/approve", body: `{"joinRequestIds":["j1"]}`},
	"reject-join-requests":      {end: "-reject", path: "/join-requests/reject", body: `{"joinRequestIds":["j1"]}`},
}

// hasGroup stores a group of a number, and a file that can be its picture: {group}-photo. Somebody is in it, and two
// ask to join.
func (w *world) hasGroup(id model.Name, phone model.PhoneNumberID, of model.WABAID, name string,
	who model.CustomerID) {
	w.t.Helper()
	file := model.MediaID(id + "-photo")
	w.db.Seed(w.t, tables.Messages, model.Media{
		PK: keys.Media(file).Partition, ItemType: model.ItemMedia, MediaID: file, PhoneNumberID: phone, Filename: name,
		ContentType: "image/jpeg", ContentLength: 7, UploadedBy: "user-1", S3Key: "files/" + string(file)})
	w.db.Seed(w.t, tables.Messages, model.Group{
		PK: keys.Group(id).Partition, ItemType: model.ItemGroup, GroupID: string(id), WABAMetaID: of, Name: name,
		PhoneNumberID: phone, State: model.GroupActive, Version: 1,
		Participants: []model.Participant{{ID: who, Order: "2026"}},
		JoinRequests: []model.JoinRequest{
			{ID: "j1", CustomerID: who, Order: model.OrderOf(model.At(minutesAgo(4)), 1)},
			{ID: "j2", CustomerID: who, Order: model.OrderOf(model.At(minutesAgo(3)), 1)}},
	})
}

// groupRequests are the requests that name somebody's groups.
func groupRequests() map[string]func(b belongings) []request {
	all := map[string]func(b belongings) []request{
		"list-groups": func(b belongings) []request {
			return []request{{Path: "/v1/groups", Query: url.Values{"phoneNumberId": {b.phone}}}}
		},
		"create-group": func(b belongings) []request {
			return []request{{Path: "/v1/groups", Headers: map[string]string{"idempotency-key": "k1"},
				Body: `{"phoneNumberId":"` + b.phone + `","name":"Rice on Mondays"}`}}
		},
	}
	for operation, of := range onGroups {
		all[operation] = func(b belongings) []request {
			id := b.groupID + of.end
			return []request{{Path: "/v1/groups/" + id + of.path, Body: strings.ReplaceAll(of.body, "{group}", id)}}
		}
	}
	return all
}

// groupCalls are the ways to call the operations on groups.
func groupCalls() map[string][]call {
	has := func(w *world) string { w.hasGroup("group-1", number, waba, "Rice", asha); return "" }
	all := map[string][]call{
		"create-group": {{name: "one", prepare: has, path: "/v1/groups", key: "k1",
			body: `{"phoneNumberId":"` + number + `","name":"Dal","joinApprovalMode":"approval_required"}`}},
	}
	for operation, of := range onGroups {
		if of.end != "" {
			all[operation] = []call{{name: "one", prepare: has, path: "/v1/groups/group-1" + of.path,
				body: strings.ReplaceAll(of.body, "{group}", "group-1")}}
		}
	}
	return all
}

// groupReads, groupAnswers and groupManages are the operations on groups that roles may call.
var (
	groupReads   = []string{"list-groups", "get-group", "list-join-requests", "list-group-messages"}
	groupAnswers = []string{
		"look-up-group", "remove-group-participants", groups.Approve + "-join-requests",
		groups.Reject + "-join-requests"}
	groupManages = []string{"create-group", "change-group", "put-group-picture", "delete-group",
		"reset-group-link"}
)
