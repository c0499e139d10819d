package groups

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// events are what happens to a group, in order.
var events = []string{
	`{"type":"group_create","subject":"Rice","description":"On Mondays","invite_link":"https://x",` +
		`"join_approval_mode":"auto_approve","added_participants":[{"input":16505551234,"wa_id":16505551234}]}`,
	`{"type":"group_participants_add","reason":"invite_link","added_participants":[{"wa_id":"16505551235"},` +
		`{"user_id":"US.1"}]}`,
	`{"type":"group_create","removed_participants":[{"wa_id":16505551234}]}`,
	`{"type":"group_settings_update","group_subject":{"text":"Rice and dal","update_successful":true},` +
		`"group_description":{"text":"x","update_successful":false,"errors":[{"code":100}]}}`,
	`{"type":"group_suspend"}`,
	`{"type":"group_suspend_cleared"}`,
	`{"type":"group_participants_add","added_participants":[{"wa_id":"16505551234"}]}`,
	`{"type":"something_new","added_participants":7,"group_subject":[]}`,
	`{"type":"group_join_request_created","join_request_id":"j1","wa_id":"16505551236"}`,
	`{"type":"group_join_request_created","join_request_id":"j2","user_id":"US.2"}`,
	`{"type":"group_join_request_revoked","join_request_id":"j1","wa_id":"16505551236"}`,
}

func told(t interface{ Fatal(...any) }, order ...int) model.Group {
	var g model.Group
	for _, i := range order {
		var o whatsapp.Object
		if err := json.Unmarshal([]byte(events[i]), &o); err != nil {
			t.Fatal(err)
		}
		apply(&g, changeOf(o, at(i)))
	}
	return g
}

func at(i int) model.Order {
	return model.OrderOf(model.Time(fmt.Sprintf("2026-11-21T12:00:%02d.999Z", i)), 1)
}

func TestAGroupIsWhatMetaTellsOfItInAnyOrder(t *testing.T) {
	want := model.Group{
		Name: "Rice and dal", NameOrder: at(3), Description: "On Mondays", DescriptionOrder: at(0),
		State: model.GroupActive, StateOrder: at(5),
		InviteLink: "https://x", JoinApprovalMode: "auto_approve", InviteOrder: at(0), ModeOrder: at(0),
		CreatedAt: at(0).At(), UpdatedAt: at(10).At(),
		JoinRequests: []model.JoinRequest{
			{ID: "j1", Order: at(10), Gone: true}, {ID: "j2", CustomerID: "US.2", Order: at(9)}},
		Participants: []model.Participant{
			{ID: "16505551234", Order: at(6)}, {ID: "16505551235", Order: at(1)}, {ID: "US.1", Order: at(1)}},
	}
	inOrder := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if diff := cmp.Diff(want, told(t, inOrder...)); diff != "" {
		t.Error(diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		if diff := cmp.Diff(want,
			told(t, append(rapid.Permutation(inOrder).Draw(t, "order"), inOrder...)...)); diff != "" {
			t.Fatal(diff)
		}
	})
}
