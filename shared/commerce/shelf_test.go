package commerce_test

import (
	"errors"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

const sweets = model.Name("300000000000001")

var shelfTables = []tables.Table{
	tables.Stores, tables.Products, tables.Messages, tables.Outbox, tables.OutboxSequences}

// sells returns a domain, with a catalogue at Meta that is a tenant's.
func sells(t *testing.T) (*commerce.Domain, *dynamotest.DB) {
	t.Helper()
	db := dynamotest.Start(t, shelfTables...)
	db.Seed(t, tables.Messages, model.Catalog{
		PK: keys.Catalog(sweets).Partition, ItemType: model.ItemCatalog, CatalogID: sweets, TenantID: "demo",
		WABAMetaID: "102290129340398", Version: 1})
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	return registry.Commerce(messaging.New(messaging.Config{DB: db.Client, Now: now})), db
}

// opens creates a store that keeps a catalogue; "" for none.
func opens(t *testing.T, d *commerce.Domain, seed string, tenant model.TenantID,
	catalog model.Name) (commercemodel.Store, error) {
	t.Helper()
	return d.Stores.Create(t.Context(), commercemodel.Store{
		Name: "Sweets", TenantID: tenant, Status: commercemodel.StoreActive, CatalogID: catalog}, seed,
		idempotency.Request{})
}

// plans returns how many plans wait.
func plans(t *testing.T, db *dynamotest.DB) int { return len(db.Items(t, tables.Outbox)) }

func TestAStoreKeepsACatalogueOfItsTenantAlone(t *testing.T) {
	d, db := sells(t)
	if _, err := opens(t, d, "other", "other", sweets); !errors.Is(err, stores.ErrCatalog) {
		t.Errorf("of another tenant: %v", err)
	}
	store, err := opens(t, d, "one", "demo", sweets)
	if err != nil || store.CatalogID != sweets || plans(t, db) != 1 {
		t.Fatalf("%+v, %v", store, err)
	}
	if _, err := opens(t, d, "two", "demo", sweets); !errors.Is(err, stores.ErrCatalog) {
		t.Errorf("that another store keeps: %v", err)
	}
	kept := func() model.Name {
		t.Helper()
		var c model.Catalog
		if err := db.Get(t.Context(), tables.Messages, keys.Catalog(sweets), &c); err != nil {
			t.Fatal(err)
		}
		return c.StoreID
	}
	if kept() != store.ID {
		t.Errorf("%s keeps it", kept())
	}
	if _, err := d.Stores.Update(t.Context(), store.ID, store.Version, func(s *commercemodel.Store) {
		s.CatalogID = ""
	}); err != nil || kept() != "" {
		t.Errorf("given up: %v, %s", err, kept())
	}
}

// A hundred changes are one plan, and a store without a catalogue plans nothing.
func TestChangesOfProductsArePlannedOnceForAStoreThatKeepsACatalogue(t *testing.T) {
	for catalog, want := range map[model.Name]int{sweets: 1, "": 0} {
		d, db := sells(t)
		store, err := opens(t, d, "one", "demo", catalog)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []model.Name{"a", "b", "c"} {
			_, err := d.Catalogue.Set(t.Context(), store, id, 0, func(p *commercemodel.Product) {
				p.Name, p.Unit, p.IsActive = "Barfi "+string(id), "kg", true
				p.Price = model.Amount{Decimal: decimal.NewFromInt(400)}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Catalogue.Remove(t.Context(), store, "c"); err != nil {
			t.Fatal(err)
		}
		if got := plans(t, db); got != want {
			t.Errorf("with the catalogue %q, %d plans, want %d", catalog, got, want)
		}
		offers, next, err := d.Offers(t.Context(), store.ID, "")
		if err != nil || next != "" || len(offers) != 2 || offers[0].Title != "Barfi a" || !offers[0].InStock {
			t.Errorf("%+v, %v", offers, err)
		}
		offered, err := d.Offered(t.Context(), store.ID, []model.Name{"b", "c"})
		if _, has := offered["b"]; err != nil || len(offered) != 1 || !has {
			t.Errorf("%+v, %v", offered, err)
		}
	}
}

// A change that is handled twice is pushed twice, and the second push finds nothing to do.
func TestTheChangeOfAShelfIsPushed(t *testing.T) {
	d, db := sells(t)
	handler := d.Working().Handlers[commerce.EventShelf]
	writes, err := handler.Settle(t.Context(), model.OutboxEvent{EcosystemID: "demo",
		Payload: []byte(`{"storeId":"STR-1","catalogId":"` + string(sweets) + `"}`)}, outbox.Outcome{})
	if err == nil {
		err = db.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	queued := db.Items(t, tables.Outbox)
	if len(queued) != 1 || dynamo.Text(queued[0], "eventType") != catalogues.EventPush {
		t.Errorf("%v", queued)
	}
}
