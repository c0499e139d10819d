package catalogues_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// barfi returns a product as it is wanted.
func barfi(price string) *model.CatalogOffer {
	return &model.CatalogOffer{
		Title: "Barfi", Description: "Made with milk.", Price: model.Amount{Decimal: decimal.RequireFromString(price)},
		Currency: "INR", ImageURL: "https://haat.example/barfi", Availability: "available_for_order"}
}

// adds has Meta asked for a new product, and waits for the answer.
func (a *account) adds(id model.Name, wanted *model.CatalogOffer) {
	a.Helper()
	a.edits(catalogues.Edit{RetailerID: id, New: true, Wanted: wanted, By: "user-1"})
}

// becomes has Meta asked to change a product, and waits for the answer. nil deletes the product.
func (a *account) becomes(id model.Name, wanted *model.CatalogOffer) {
	a.Helper()
	a.edits(catalogues.Edit{RetailerID: id, Wanted: wanted, By: "user-1"})
}

// edits has Meta asked to change a product, and waits for the answer.
func (a *account) edits(edit catalogues.Edit) {
	a.Helper()
	_, err := a.rooms.Catalogues.Edit(a.Context(), a.get(sweets), edit)
	a.Must(err)
	a.settles()
}

func TestAProductOfACatalogueWithoutAStoreIsChangedAtMeta(t *testing.T) {
	a := opened(t)
	a.reads()
	a.adds("b1", barfi("42.50"))
	p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "b1")
	if err != nil || p.Name != "Barfi" || p.Price.String() != "42.5" || p.Availability != "available_for_order" ||
		p.Asked.AnsweredAt == "" || p.Asked.Problem != "" || p.Asked.By != "user-1" || p.Asked.Handle != "" {
		t.Fatalf("%+v %+v, %v", p, p.Asked, err)
	}
	if has := a.atMeta(); has != "b1 ₹42.50 available for order" {
		t.Errorf("Meta has %q", has)
	}
	a.Passes(time.Minute)
	a.asks(sweets, catalogues.Sync)
	if p, err = a.rooms.Catalogues.Product(t.Context(), sweets, "b1"); err != nil || p.Price.String() != "42.5" {
		t.Errorf("after a sync: %+v, %v", p, err)
	}
	a.becomes("b1", nil)
	_, err = a.rooms.Catalogues.Product(t.Context(), sweets, "b1")
	if has := a.atMeta(); !errors.Is(err, dynamo.ErrNotFound) || has != "" {
		t.Errorf("after the deletion: %v, Meta has %q", err, has)
	}
}

func TestWhatMetaRefusesOfAProductIsTold(t *testing.T) {
	a := opened(t)
	a.reads()
	a.adds("b1", barfi("42.50"))
	_, err := a.rooms.Catalogues.Edit(t.Context(), a.get(sweets), catalogues.Edit{
		RetailerID: "b1", New: true, Wanted: barfi("50")})
	if !errors.Is(err, catalogues.ErrThere) {
		t.Errorf("adding it once more: %v", err)
	}
	wrong := barfi("50")
	wrong.ImageURL = "https://"
	a.becomes("b1", wrong)
	p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "b1")
	if err != nil || p.Asked.AnsweredAt == "" || !strings.Contains(p.Asked.Problem, "image link") ||
		p.Price.String() != "42.5" {
		t.Errorf("%+v %+v, %v", p, p.Asked, err)
	}
	a.becomes("b1", barfi("50")) // it may be asked for again
	if p, err = a.rooms.Catalogues.Product(t.Context(), sweets, "b1"); err != nil || p.Asked.Problem != "" ||
		p.Price.String() != "50" {
		t.Errorf("%+v %+v, %v", p, p.Asked, err)
	}
}

func TestAProductThatAStoreKeepsIsNotChanged(t *testing.T) {
	a := opened(t)
	a.reads()
	edit := func(id model.Name, isNew bool, wanted *model.CatalogOffer) error {
		_, err := a.rooms.Catalogues.Edit(t.Context(), a.get(sweets),
			catalogues.Edit{RetailerID: id, New: isNew, Wanted: wanted, By: "user-1"})
		return err
	}
	if err := edit("b1", false, nil); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("deleting nothing: %v", err)
	}
	a.Must(edit("b1", true, barfi("42.50")))
	a.Must(edit("b1", true, barfi("42.50")))
	if err := edit("b1", false, barfi("43")); !errors.Is(err, catalogues.ErrWaits) {
		t.Errorf("another change meanwhile: %v", err)
	}
	if queued := a.db.Items(t, tables.Outbox); len(queued) != 2 { // one is the reading of the catalogues
		t.Errorf("%d events", len(queued))
	}
	// A store begins to keep the catalogue before Meta is asked.
	a.Must(a.db.Client.Transact(t.Context(),
		[]dynamo.Write{a.rooms.Catalogues.KeepWrite(sweets, "demo", store, true)}))
	a.meta.asked.Forget()
	a.settles()
	p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "b1")
	if err != nil || !strings.Contains(p.Asked.Problem, "store") ||
		slices.Contains(a.meta.asked.All(), "POST items_batch") {
		t.Errorf("%+v, %v, asked %v", p.Asked, err, a.meta.asked.All())
	}
	if err := edit("b1", false, barfi("43")); !errors.Is(err, catalogues.ErrKept) {
		t.Errorf("a change then: %v", err)
	}
}

// Meta may never finish, and the catalogue may become another tenant's meanwhile. Then the request ends.
func TestAChangeOfAProductEnds(t *testing.T) {
	for name, happens := range map[string]func(a *account){
		"a day": func(a *account) { a.Passes(30 * time.Hour) },
		"taken": func(a *account) {
			c := a.get(sweets)
			c.TenantID = "other"
			a.db.Seed(t, tables.Messages, c)
		},
		"moved": func(a *account) {
			moved := theNumber
			moved.TenantID = "other"
			a.db.Seed(t, tables.Messages, moved)
		},
	} {
		a := opened(t)
		a.reads()
		a.handler[catalogues.EventEdit] = a.rooms.Catalogues.EditHandler(
			carriesOut{"in_progress"}, noSleep, sending.AsFailure)
		a.adds("b1", barfi("42.50"))
		p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "b1")
		if err != nil || p.Asked.Handle == "" {
			t.Fatalf("%s: %+v, %v", name, p.Asked, err)
		}
		happens(a)
		a.settles()
		if p, err = a.rooms.Catalogues.Product(t.Context(), sweets, "b1"); err != nil || p.Asked.AnsweredAt == "" ||
			p.Asked.Problem == "" {
			t.Errorf("%s: %+v, %v", name, p.Asked, err)
		}
	}
}

// A sync that is under way does not end a product that Meta does not have yet.
func TestASyncDoesNotEndAProductThatIsOnItsWay(t *testing.T) {
	a := opened(t)
	a.reads()
	a.Passes(time.Second)
	a.Must(a.rooms.Catalogues.Ask(t.Context(), a.get(sweets), catalogues.Sync, "", "user-1"))
	edit := a.handler[catalogues.EventEdit]
	a.handler[catalogues.EventEdit] = outbox.Handler{Send: func(context.Context, model.OutboxEvent) (string, error) {
		return "", &outbox.Later{At: model.At(a.Clock().Add(time.Minute))}
	}}
	_, err := a.rooms.Catalogues.Edit(t.Context(), a.get(sweets),
		catalogues.Edit{RetailerID: "b1", New: true, Wanted: barfi("42.50")})
	a.Must(err)
	a.settles()
	if c := a.get(sweets); c.SyncedAt == "" {
		t.Fatalf("%+v", c.Asked)
	}
	a.handler[catalogues.EventEdit] = edit
	for range 4 {
		a.Passes(time.Minute)
		a.settles()
	}
	if has := a.atMeta(); has != "b1 ₹42.50 available for order" {
		t.Errorf("Meta has %q", has)
	}
}

// carriesOut is a Meta that carries out a batch at once, or has lost it.
type carriesOut struct{ status string }

func (c carriesOut) AboutNode(_ context.Context, _, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	answer := `{"handles":["h1"]}`
	if call.Edge == "check_batch_request_status" {
		answer = `{"data":[{"handle":"h1","status":"` + c.status + `"}]}`
	}
	return whatsapp.ObjectOf([]byte(answer)), nil
}

func TestChangingAProductSurvivesEveryCrashPoint(t *testing.T) {
	for _, wish := range []string{catalogues.Put, catalogues.Delete} {
		for _, status := range []string{"finished", "error", "in_progress"} {
			t.Run(wish+" "+status, func(t *testing.T) {
				asked := &model.CatalogItemAsked{
					Wish: wish, At: model.At(noon), TenantID: "demo", Wanted: barfi("42.50")}
				item := model.CatalogItem{
					PK: keys.CatalogItem(sweets, "b1").Partition, ItemType: model.ItemCatalogItem, CatalogID: sweets,
					RetailerID: "b1", Asked: asked, Version: 1}
				c := model.Catalog{
					PK: keys.Catalog(sweets).Partition, ItemType: model.ItemCatalog, CatalogID: sweets,
					TenantID: "demo", WABAMetaID: wt.WABA, Version: 1}
				payload := fmt.Appendf(nil, `{"catalogId":%q,"retailerId":"b1","phoneNumberId":%q,"askedAt":%q}`, sweets,
					wt.Phone, model.At(noon))
				points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
					Tables: used,
					Seed:   func(t testing.TB, db *dynamotest.DB) { db.Seed(t, tables.Messages, theNumber, c, item) },
					Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
						rooms := roomsOn(client, func() time.Time { return noon })
						handler := rooms.Catalogues.EditHandler(carriesOut{status}, noSleep, sending.AsFailure)
						_, err := handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: payload})
						var later *outbox.Later
						var failed *outbox.Failure
						if errors.As(err, &later) || errors.As(err, &failed) && failed.Class == "batch" {
							return nil
						}
						return err
					},
					// an attempt more posts a batch more that Meta does not carry out
					Ignore: []string{"version"},
				})
				t.Logf("%d crash points", points)
			})
		}
	}
}
