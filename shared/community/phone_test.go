package community_test

import (
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A person is found by their number as by their address, and both are free again whichever leads to them.
func TestAPersonIsExportedAndErasedByTheirNumber(t *testing.T) {
	h := newHouse(t)
	ravi, meena := h.person("ravi"), h.person("meena")
	ravi.PhoneE164, meena.PhoneE164 = "+919876543210", "+919876543211"
	h.registers(ravi, meena)
	meena.Email = ""
	for _, user := range []communitymodel.User{ravi, meena} {
		h.db.Seed(t, tables.CommunityUsers, communitymodel.Claim{
			PK: users.Address{Phone: user.PhoneE164}.Ref("demo").Key.Partition, UserID: user.ID}, communitymodel.Code{
			PK: keys.AccessCode(users.ToPhone, "demo", user.PhoneE164).Partition, Hash: "hash",
			Address: user.PhoneE164})
	}
	meena.Version = 1
	h.db.Seed(t, tables.CommunityUsers, meena)
	for number, email := range map[model.CustomerID]string{"919876543210": "ravi@", "919876543211": "+919876543211"} {
		of := erasure.Subject{Tenant: "demo", Identifiers: []model.CustomerID{"IN.77", number}}
		rows, err := h.Part().Exporter.Lists[0].Read(h.ctx(), of, "", 10)
		if err != nil || len(rows.Rows) != 1 || dynamo.Text(rows.Rows[0].Item, "PhoneE164") != "+"+string(number) {
			t.Errorf("%s: %+v, %v", number, rows, err)
		}
		h.must(h.erasesIn(h.ctx(), number))
		for _, left := range []string{email, string(number)} {
			if strings.Contains(h.stored(), left) {
				t.Errorf("%s: %s is still there", number, left)
			}
		}
	}
	for _, item := range h.db.Items(t, tables.CommunityUsers) {
		if pk := dynamo.Text(item, "pk"); strings.HasPrefix(pk, "PHONE#") || strings.HasPrefix(pk, "CODE#") {
			t.Error(pk)
		}
	}
}

// A code is of no use ten minutes after it was made, also in a dead letter that somebody sends again.
func TestACodeThatIsSentAgainIsAsOldAsItWas(t *testing.T) {
	h := newHouse(t)
	still := h.Working().Hook.Still
	for _, c := range []struct {
		reference string
		made      time.Duration // of the event
		want      string
	}{
		{users.Reference(users.ToReset, model.At(noon)), 9 * time.Minute, "code_expired"},
		{users.Reference(users.ToPhone, model.At(noon.Add(time.Minute))), time.Minute, ""},
		{"signup", 0, "code_expired"}, {"signup", time.Minute, ""}, // of the release before
		{"another", 0, ""},
	} {
		h.now = noon.Add(communitymodel.CodeLife)
		why, err := still(h.ctx(), c.reference, model.OutboxEvent{CreatedAt: model.At(noon.Add(c.made))},
			contacts.Addressee{})
		if why != c.want || err != nil {
			t.Errorf("%s: %q, %v", c.reference, why, err)
		}
	}
}
