package communityapi

import (
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/community/bridges"
	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// bridgeThings is what a tenant has for bridges: a number with two groups, a community with a bridge, and one without.
type bridgeThings struct {
	number, group       string // a group without a bridge
	bridged             string // a community
	toBridge, bridgeEnd string // a community without a bridge, and its chat
}

func (w *world) bridges(digit string, founder communitymodel.User) (b bridgeThings) {
	w.t.Helper()
	ctx, d := w.t.Context(), w.domain
	b.number, b.group = "10654035224292"+digit, "free"+digit
	taken := "taken" + digit
	w.db.Seed(w.t, tables.Messages, model.Phone{
		PK: keys.Phone(model.PhoneNumberID(b.number)).Partition, ItemType: "PHONE",
		PhoneNumberID: model.PhoneNumberID(b.number), TenantID: founder.TenantID})
	for _, group := range []string{b.group, taken} {
		w.db.Seed(w.t, tables.Messages, model.Group{
			PK: keys.Group(model.Name(group)).Partition, ItemType: "GROUP", GroupID: group, Version: 1,
			PhoneNumberID: model.PhoneNumberID(b.number)})
	}
	ends := func(name string) (community, chat model.Name) {
		c, err := d.Communities.Found(ctx, founder, communities.About{
			Name: name + " " + apitest.SecretOf(digit), Private: true,
			Location: communitymodel.Place{Country: "India"}}, unkeyed)
		w.must(err)
		made, err := d.Chats.Create(ctx, founder, chats.New{Community: c.ID, Name: "Rice", Capacity: 5}, unkeyed)
		w.must(err)
		return c.ID, made.ID
	}
	community, chat := ends("Bridged")
	_, err := d.Bridges.Build(ctx, bridges.New{
		Tenant: founder.TenantID, Community: community, Chat: chat, Phone: model.PhoneNumberID(b.number),
		Group: model.Name(taken)})
	w.must(err)
	b.bridged = string(community)
	community, chat = ends("Unbridged")
	b.toBridge, b.bridgeEnd = string(community), string(chat)
	return b
}

func noBridgeThings() bridgeThings {
	id := func(n int) string { return fmt.Sprintf("01a1fbae-3de3-707d-9ea9-%012d", n) }
	return bridgeThings{
		number: "106540352242929", group: "free9", bridged: id(60), toBridge: id(60), bridgeEnd: id(60) + "." + id(61)}
}

// bridgeReads are the operations of bridges that change nothing.
var bridgeReads = []string{"get-community-bridge"}

// bridgeWays returns, by operation of bridges, the request that is made of it.
func bridgeWays() map[string]func(b belongings) request {
	of := func(community string) string { return strings.Replace(bridgePath, "{communityId}", community, 1) }
	chat := part(func(b belongings) string { return b.chat })
	guest := part(func(belongings) string { return string(keys.GuestID("1", "919876543210")) })
	return map[string]func(b belongings) request{
		"get-community-bridge":    func(b belongings) request { return request{Path: of(b.bridged)} },
		"remove-community-bridge": func(b belongings) request { return request{Path: of(b.bridged)} },
		"build-community-bridge": func(b belongings) request {
			return request{Path: of(b.toBridge), Body: fmt.Sprintf(
				`{"chatId":%q,"phoneNumberId":%q,"whatsAppGroupId":%q}`, b.bridgeEnd, b.number, b.group)}
		},
		"ban-chat-guest":   path("/group-chats/%s/guests/%s/ban", "", chat, guest),
		"unban-chat-guest": path("/group-chats/%s/guests/%s/ban", "", chat, guest),
	}
}
