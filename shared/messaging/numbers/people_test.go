package numbers_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// talks stores a conversation.
func (s *shop) talks(customer model.CustomerID, address, group string) {
	s.Helper()
	s.db.Seed(s.T, tables.Messages, model.Conversation{
		PK: keys.Conversation(wt.Phone, customer).Partition, ItemType: model.ItemConversation, From: address,
		GroupID: group, InboxPK: keys.InboxConversations(wt.Phone), ReceivedAt: model.At(noon)})
}

func TestMetaSaysWhetherACustomerMayBeCalled(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	s.talks("IN.77", asha, "") // somebody whose number became known later
	s.talks("IN.88", "IN.88", "")
	s.talks("Y2FwaQ==", "Y2FwaQ==", "Y2FwaQ==")
	if _, err := settings.Permission(ctx, wt.Phone, "IN.77"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("before Meta was asked: %v", err)
	}
	look := func(who model.CustomerID) numbers.Setting {
		t.Helper()
		s.must(settings.LookUpPermission(ctx, s.of, who))
		s.must(settings.LookUpPermission(ctx, s.of, who)) // it is under way
		s.settles()
		got, err := settings.Permission(ctx, wt.Phone, who)
		s.must(got, err)
		return got
	}
	s.is(look("IN.77"), model.SettingSynced, `"status":"no_permission"`, "")
	s.Control("POST", "/calls", `{"from":"`+asha+`","does":"permit"}`)
	s.is(look("IN.77"), model.SettingSynced, `"status":"temporary"`, "")
	s.is(look("IN.88"), model.SettingSynced, `"actionName":"start_call"`, "")
	s.Passes(8 * 24 * time.Hour)
	s.is(look("IN.77"), model.SettingSynced, `"status":"no_permission"`, "")
	if asked := strings.Join(s.meta.asked.All(), " "); strings.Count(asked, "call_permissions") != 4 {
		t.Errorf("asked %s", asked)
	}
	if _, err := settings.LookUpPermission(ctx, s.of, "Y2FwaQ=="); !errors.Is(err, numbers.ErrGroup) {
		t.Errorf("of a group: %v", err)
	}
	if _, err := settings.LookUpPermission(ctx, s.of, "none"); !errors.Is(err, inbox.ErrNoConversation) {
		t.Errorf("of somebody who has no conversation: %v", err)
	}
	counts := map[string]int{}
	err := settings.Erase(ctx, wt.Phone, []model.CustomerID{"IN.77", asha}, func(name string, n int) []dynamo.Write {
		counts[name] += n
		return nil
	})
	if _, gone := settings.Permission(ctx, wt.Phone, "IN.77"); err != nil || !errors.Is(gone, dynamo.ErrNotFound) ||
		counts[numbers.CountPermissions] != 1 || counts[numbers.CountBlocked] != 0 {
		t.Errorf("%v, %v, %v", err, gone, counts)
	}
}
