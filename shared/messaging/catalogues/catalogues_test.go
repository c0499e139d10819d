package catalogues_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestTheCataloguesOfAnAccountAreReadAtMeta(t *testing.T) {
	a := opened(t)
	a.batch(sweets, product("p1", "10"))
	for range 2 {
		all := a.reads()
		if c := all[sweets]; len(all) != 2 || c.Name != "Sweets" || c.ProductCount != 1 || c.Linked ||
			c.TenantID != "demo" || c.WABAMetaID != wt.WABA {
			t.Fatalf("%+v", all)
		}
	}
	asked, err := a.rooms.Catalogues.OfAccount(t.Context(), wt.WABA)
	if err != nil || asked.AnsweredAt == "" || asked.Problem != "" || asked.By != "user-1" {
		t.Errorf("%+v, %v", asked, err)
	}
	err = a.rooms.Catalogues.ReadAccount(t.Context(), "other", wt.WABA, "user-2")
	if !errors.Is(err, tenancy.ErrNoNumber) {
		t.Errorf("for a tenant without a number: %v", err)
	}
}

func TestACatalogueIsLinkedAndUnlinked(t *testing.T) {
	a := opened(t)
	a.reads()
	for _, c := range []struct {
		wish    string
		of      model.Name
		linked  bool
		problem string
	}{
		{catalogues.Link, sweets, true, ""},
		{catalogues.Link, sweets, true, ""},
		{catalogues.Link, shirts, false, "connected to another catalog"},
		{catalogues.Unlink, sweets, false, ""},
		{catalogues.Unlink, sweets, false, ""},
		{catalogues.Link, shirts, true, ""},
	} {
		a.meta.asked.Forget()
		got := a.asks(c.of, c.wish)
		if got.Linked != c.linked || got.Asked.AnsweredAt == "" || !strings.Contains(got.Asked.Problem, c.problem) ||
			(c.problem == "") != (got.Asked.Problem == "") {
			t.Errorf("%s %s: %+v, %+v", c.wish, c.of, got, got.Asked)
		}
	}
	// Somebody unlinks it at Meta.
	if _, err := a.meta.Graph.AboutNode(t.Context(), wt.WABA, whatsapp.NumberCall{Method: "DELETE",
		Edge: "product_catalogs", Body: map[string]string{"catalog_id": string(shirts)}}); err != nil {
		t.Fatal(err)
	}
	if all := a.reads(); all[shirts].Linked {
		t.Errorf("%+v", all[shirts])
	}
}

func TestALinkWhoseAnswerIsLostIsLookedUp(t *testing.T) {
	a := opened(t)
	a.reads()
	a.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	if got := a.asks(sweets, catalogues.Link); !got.Linked || got.Asked.Problem != "" {
		t.Errorf("%+v", got.Asked)
	}
	if posts := strings.Count(strings.Join(a.meta.asked.All(), "\n"), "POST product_catalogs"); posts != 1 {
		t.Errorf("asked %v", a.meta.asked.All())
	}
}

// Where another tenant has an account of the portfolio, nobody knows whose its catalogues are.
func TestCataloguesOfASharedPortfolioShowOnlyWhereTheyAreLinked(t *testing.T) {
	a := opened(t)
	a.Control("PUT", "/account", `{"wabaIds":["`+wt.WABA+`","102290129340399"]}`)
	a.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone("106540352242999").Partition, ItemType: model.ItemPhone, PhoneNumberID: "106540352242999",
		TenantID: "other", WABAMetaID: "102290129340399"})
	if all := a.reads(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if _, err := a.meta.Graph.AboutNode(t.Context(), wt.WABA, whatsapp.NumberCall{Method: "POST",
		Edge: "product_catalogs", Body: map[string]string{"catalog_id": string(shirts)}}); err != nil {
		t.Fatal(err)
	}
	if all := a.reads(); len(all) != 1 || !all[shirts].Linked {
		t.Errorf("%+v", all)
	}
}

func TestTheCatalogueOfAnotherTenantStaysTheirs(t *testing.T) {
	a := opened(t)
	other := theNumber
	other.PK, other.PhoneNumberID = keys.Phone("106540352242999").Partition, "106540352242999"
	other.TenantID, other.WABAMetaID = "other", "102290129340399"
	a.db.Seed(t, tables.Messages, other, model.Catalog{
		PK: keys.Catalog(sweets).Partition, ItemType: model.ItemCatalog, CatalogID: sweets, TenantID: "other",
		WABAMetaID: "102290129340399", Name: "Theirs", StoreID: "STR-1", Version: 1})
	a.reads()
	if c := a.get(sweets); c.TenantID != "other" || c.Name != "Theirs" {
		t.Errorf("%+v", c)
	}
	err := a.rooms.Catalogues.Ask(t.Context(), model.Catalog{
		CatalogID: sweets, TenantID: "demo", WABAMetaID: wt.WABA}, catalogues.Sync, "", "user-1")
	if !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("asked for another tenant: %v", err)
	}
	// The other tenant has no number of the account any more, and the account shows it.
	other.TenantID = "third"
	a.db.Seed(t, tables.Messages, other)
	if _, err := a.meta.Graph.AboutNode(t.Context(), wt.WABA, whatsapp.NumberCall{Method: "POST",
		Edge: "product_catalogs", Body: map[string]string{"catalog_id": string(sweets)}}); err != nil {
		t.Fatal(err)
	}
	a.reads()
	if c := a.get(sweets); c.TenantID != "demo" || c.StoreID != "" || !c.Linked {
		t.Errorf("%+v", c)
	}
}

func TestWhatMetaDoesNotAllowIsAProblemOfTheRequest(t *testing.T) {
	a := opened(t)
	a.Control("PUT", "/account", `{"scopes":["whatsapp_business_management"]}`)
	a.Must(a.rooms.Catalogues.ReadAccount(t.Context(), "demo", wt.WABA, "user-1"))
	for range 200 {
		a.settles()
		a.Passes(time.Hour)
	}
	asked, err := a.rooms.Catalogues.OfAccount(t.Context(), wt.WABA)
	if err != nil || !strings.Contains(asked.Problem, "ermission") {
		t.Errorf("%+v, %v", asked, err)
	}
}

func TestTheProductsOfACatalogueAreAsMetaHasThem(t *testing.T) {
	a := opened(t)
	a.reads()
	var all []map[string]any
	const many = 1250
	for i := range many {
		all = append(all, product(fmt.Sprintf("p%04d", i), "1234.50"))
	}
	a.batch(sweets, all...)
	a.meta.asked.Forget()
	got := a.asks(sweets, catalogues.Sync)
	if got.ProductCount != many || got.SyncedAt == "" || got.Asked.Problem != "" {
		t.Fatalf("%+v %+v", got, got.Asked)
	}
	if pages := len(a.meta.asked.All()); pages != 13 {
		t.Errorf("asked %d times, want 13", pages)
	}
	found := a.products(sweets)
	if len(found) != many {
		t.Fatalf("%d products", len(found))
	}
	p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "p0007")
	if err != nil || p.Name != "Product p0007" || p.Price.String() != "1234.5" || p.Currency != "INR" ||
		p.Availability != "in_stock" || p.ImageURL != "https://haat.example/p0007" {
		t.Errorf("%+v, %v", p, err)
	}
	a.batch(sweets, map[string]any{"method": "DELETE", "data": map[string]any{"id": "p0007"}}, product("p0008", "9"))
	a.asks(sweets, catalogues.Sync)
	_, err = a.rooms.Catalogues.Product(t.Context(), sweets, "p0007")
	changed, alsoErr := a.rooms.Catalogues.Product(t.Context(), sweets, "p0008")
	if !errors.Is(err, dynamo.ErrNotFound) || alsoErr != nil || changed.Price.String() != "9" {
		t.Errorf("%v, %+v, %v", err, changed, alsoErr)
	}
}

// steady is a Meta that always says the same.
type steady struct{}

func (steady) AboutNode(_ context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	answer := map[string]string{
		"product_catalogs":                 `{"data":[{"id":"300000000000001","name":"Sweets","product_count":2}]}`,
		"owned_product_catalogs":           `{"data":[{"id":"300000000000002","name":"Shirts"}]}`,
		"owned_whatsapp_business_accounts": `{"data":[{"id":"` + wt.WABA + `"}]}`,
		"":                                 `{"owner_business_info":{"id":"123456"}}`,
		"products":                         `{"data":[{"retailer_id":"p1","price":"₹2.00"},{"retailer_id":"p2"}]}`,
	}[call.Edge]
	if call.Method == "POST" || call.Method == "DELETE" {
		answer = `{"success":true}`
	}
	return whatsapp.ObjectOf([]byte(answer)), nil
}

func TestAskingAboutCataloguesSurvivesEveryCrashPoint(t *testing.T) {
	known := model.Catalog{
		PK: keys.Catalog(sweets).Partition, ItemType: model.ItemCatalog, CatalogID: sweets, TenantID: "demo",
		WABAMetaID: wt.WABA, Linked: true, Version: 1}
	gone := model.CatalogItem{
		PK: keys.CatalogItem(sweets, "p0").Partition, ItemType: model.ItemCatalogItem, CatalogID: sweets,
		RetailerID: "p0", ReadAt: model.At(noon.Add(-time.Hour)), Version: 1}
	for _, wish := range []string{catalogues.Read, catalogues.Link, catalogues.Unlink, catalogues.Sync} {
		t.Run(wish, func(t *testing.T) {
			payload := fmt.Sprintf(`{"catalogId":%q,"phoneNumberId":%q,"askedAt":%q}`, sweets, wt.Phone, model.At(noon))
			asked := &model.CatalogAsked{Wish: wish, At: model.At(noon), WABAID: wt.WABA}
			about := model.Account{PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount,
				WABAMetaID: wt.WABA, Version: 1}
			c := known
			if wish == catalogues.Read {
				payload = strings.Replace(payload, "catalogId", "none", 1)
				payload = strings.Replace(payload, "{", `{"wabaId":"`+wt.WABA+`",`, 1)
				about.Catalogs = asked
			} else {
				c.Asked = asked
			}
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					db.Seed(t, tables.Messages, theNumber, c, about, gone)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := roomsOn(client, func() time.Time { return noon })
					handler := rooms.Catalogues.Handler(steady{}, sending.AsFailure)
					_, err := handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: []byte(payload)})
					var later *outbox.Later
					if errors.As(err, &later) {
						return nil
					}
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
