package messaging_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (w *fixture) number() model.Phone {
	w.t.Helper()
	var phone model.Phone
	if err := w.DB.Get(w.t.Context(), tables.Messages, keys.Phone(wt.Phone), &phone); err != nil {
		w.t.Fatal(err)
	}
	return phone
}

// seedNumber stores the item of the number that the bodies are about.
func (w *fixture) seedNumber(phone model.Phone) {
	w.t.Helper()
	phone.PK, phone.ItemType, phone.PhoneNumberID = keys.Phone(wt.Phone).Partition, model.ItemPhone, wt.Phone
	w.db.Seed(w.t, tables.Messages, phone)
}

func TestANumbersFirstWebhookFillsInMissingAccountAndDisplayNumber(t *testing.T) {
	const at = model.Time("2026-11-01T09:00:00.000Z")
	for name, c := range map[string]struct {
		byDefault model.TenantID
		was, want *model.Phone
	}{
		"of a number nobody has": {
			"demo", nil,
			&model.Phone{
				TenantID: "demo", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display, CreatedAt: model.At(noon)}},
		"of a tenant's, whose WABA is unknown": {
			"demo", &model.Phone{TenantID: "shop", CreatedAt: at},
			&model.Phone{TenantID: "shop", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display, CreatedAt: at}},
		"the same where there is no default tenant": {
			"", &model.Phone{TenantID: "shop", CreatedAt: at},
			&model.Phone{TenantID: "shop", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display, CreatedAt: at}},
		"of one that has only a token": {
			"demo", &model.Phone{AccessTokenRef: "env:X", CreatedAt: at},
			&model.Phone{
				TenantID: "demo", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display, AccessTokenRef: "env:X",
				CreatedAt: at}},
		"of one that nobody knows as people write it": {
			"demo", &model.Phone{TenantID: "shop", WABAMetaID: "7", CreatedAt: at},
			&model.Phone{TenantID: "shop", WABAMetaID: "7", DisplayPhoneNumber: wt.Display, CreatedAt: at}},
		"but changes nothing that stands": {
			"demo", &model.Phone{TenantID: "shop", WABAMetaID: "7", DisplayPhoneNumber: "+1 555", CreatedAt: at},
			&model.Phone{TenantID: "shop", WABAMetaID: "7", DisplayPhoneNumber: "+1 555", CreatedAt: at}},
		"and gives nobody what was taken from a tenant": {
			"demo", &model.Phone{ReleasedAt: at, ReleasedFrom: "shop", CreatedAt: at},
			&model.Phone{ReleasedAt: at, ReleasedFrom: "shop", CreatedAt: at}},
		"and makes none where there is no default": {"", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.set(func(config *messaging.Config) { config.DefaultTenant = c.byDefault })
			if c.was != nil {
				w.seedNumber(*c.was)
			}
			w.says(asha, "wamid.1", "hello", 2)
			w.says(asha, "wamid.2", "again", 1)
			if c.want == nil {
				if owner, err := w.TenantOf(t.Context(), wt.Phone); owner != "" || err != nil {
					t.Errorf("owner %q, %v", owner, err)
				}
				return
			}
			c.want.PK, c.want.ItemType, c.want.PhoneNumberID = keys.Phone(wt.Phone).Partition, model.ItemPhone, wt.Phone
			if diff := cmp.Diff(*c.want, w.number()); diff != "" {
				t.Error(diff)
			}
			if owner, err := w.TenantOf(t.Context(), wt.Phone); owner != c.want.TenantID || err != nil {
				t.Errorf("owner %q, %v", owner, err)
			}
		})
	}
}

// A second number of an account most likely belongs to the same business. The default tenant must not read its
// messages.
func TestANewNumberGoesToTheTenantWithTheAccountsOtherNumbers(t *testing.T) {
	const taken = model.Time("2026-11-01T09:00:00.000Z")
	for name, c := range map[string]struct {
		others   []model.Phone
		want     model.TenantID
		released bool
	}{
		"an account nobody has a number of": {nil, "demo", false},
		"one tenant's": {
			[]model.Phone{{TenantID: "shop", WABAMetaID: wt.WABA}, {TenantID: "shop", WABAMetaID: wt.WABA}}, "shop",
			false},
		"the default tenant's": {
			[]model.Phone{{TenantID: "demo", WABAMetaID: wt.WABA}}, "demo", false},
		"several tenants'": {
			[]model.Phone{{TenantID: "shop", WABAMetaID: wt.WABA}, {TenantID: "demo", WABAMetaID: wt.WABA}}, "", true},
		"one tenant's, and one taken from others": {
			[]model.Phone{
				{TenantID: "shop", WABAMetaID: wt.WABA}, {ReleasedAt: taken, ReleasedFrom: "was", WABAMetaID: wt.WABA}},
			"shop", false},
		"another account's numbers say nothing": {[]model.Phone{{TenantID: "shop", WABAMetaID: "7"}}, "demo", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
			for i, phone := range c.others {
				phone.PhoneNumberID = model.PhoneNumberID(fmt.Sprintf("99999990000000%d", i))
				phone.PK, phone.ItemType = keys.Phone(phone.PhoneNumberID).Partition, model.ItemPhone
				w.db.Seed(t, tables.Messages, phone)
			}
			w.says(asha, "wamid.1", "hello", 2)
			number := w.number()
			if number.TenantID != c.want || (number.ReleasedAt != "") != c.released || number.WABAMetaID != wt.WABA {
				t.Errorf("%+v", number)
			}
			if owner, err := w.TenantOf(t.Context(), wt.Phone); owner != c.want || err != nil {
				t.Errorf("owner %q, %v", owner, err)
			}
			if m := w.message("wamid.1"); m.TextBody != "hello" {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestSendingClaimsNoNumber(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
	w.accept(asha)
	if owner, err := w.TenantOf(t.Context(), wt.Phone); owner != "" || err != nil {
		t.Errorf("owner %q, %v", owner, err)
	}
}

func TestMessagesForAnInvalidNumberAreStoredWithoutAConversation(t *testing.T) {
	for _, phone := range []string{"1", "me", "<BUSINESS_PHONE_NUMBER_ID>", "..", "TEST987654321"} {
		w := newFixture(t)
		w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
		err := w.post(wt.Change("messages", wt.Object{
			"metadata": wt.Object{"phone_number_id": phone}, "contacts": wt.List{wt.Contact(asha, "Asha")},
			"messages": wt.List{wt.Text(asha, "wamid.1", "hello", ago(1))},
		}))
		if m := w.message("wamid.1"); !dynamo.Permanent(err) || m.TextBody != "hello" || m.ConversationPK != "" {
			t.Errorf("%s: %v, %+v", phone, err, m)
		}
		for _, item := range w.db.Items(t, tables.Messages) {
			if kind := dynamo.Text(item, "itemType"); kind == model.ItemPhone || kind == model.ItemConversation {
				t.Errorf("%s: %v", phone, item)
			}
		}
	}
}

func TestAnAccountWithoutANumberBelongsToNoTenant(t *testing.T) {
	w := newFixture(t)
	w.set(func(c *messaging.Config) { c.DefaultTenant = "demo" })
	if owners, err := w.TenantsOfAccount(t.Context(), wt.WABA); len(owners) != 0 || err != nil {
		t.Errorf("owners %v, %v", owners, err)
	}
	w.says(asha, "wamid.1", "hello", 1)
	if owners, err := w.TenantsOfAccount(t.Context(), wt.WABA); !slices.Equal(owners, []model.TenantID{"demo"}) ||
		err != nil {
		t.Errorf("owners %v, %v", owners, err)
	}
	if owners, err := w.TenantsOfAccount(t.Context(), "7"); len(owners) != 0 || err != nil {
		t.Errorf("owners of another %v, %v", owners, err)
	}
}

// An identifier that can be written to before it has written has one spelling, the one in the keys.
func FuzzReachableIdentifiersAreNormalized(f *testing.F) {
	for _, text := range []string{
		asha, "+91 98765-43210", "0919876543210", "US.ENT.1", "us.1", "US..1", "9~x", "..", "US.1#"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !whatsapp.Reachable(text) {
			return
		}
		if id, err := model.ParseCustomer(text); err != nil || string(id) != text {
			t.Errorf("%q can be reached, and is stored as %q, %v", text, id, err)
		}
	})
}
