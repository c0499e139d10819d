package catalogues_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	sweets = model.Name("300000000000001") // a catalogue
	shirts = model.Name("300000000000002") // another one
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// meta is the simulated WhatsApp, asked over HTTP.
type meta struct {
	whatsapp.Graph
	asked messagingtest.Asked
}

func (m *meta) AboutNode(ctx context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	m.asked.Add(strings.TrimSpace(call.Method + " " + call.Edge))
	return m.Graph.AboutNode(ctx, id, call)
}

// account is an account with a number, whose portfolio has catalogues.
type account struct {
	*simulated.WhatsApp
	db      *dynamotest.DB
	rooms   *messaging.Domain
	meta    *meta
	handler map[string]outbox.Handler
}

var used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}

// theNumber is the account's.
var theNumber = model.Phone{
	PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
	WABAMetaID: wt.WABA, DisplayPhoneNumber: "919876500000"}

func opened(t *testing.T) *account {
	t.Helper()
	a := &account{WhatsApp: simulated.Start(t, noon), db: dynamotest.Start(t, used...)}
	a.meta = &meta{Graph: a.Graph}
	a.rooms = roomsOn(a.db.Client, a.Clock)
	a.handler = map[string]outbox.Handler{
		catalogues.EventAsk:  a.rooms.Catalogues.Handler(a.meta, sending.AsFailure),
		catalogues.EventEdit: a.rooms.Catalogues.EditHandler(a.meta, noSleep, sending.AsFailure)}
	a.db.Seed(t, tables.Messages, theNumber)
	for id, name := range map[model.Name]string{sweets: "Sweets", shirts: "Shirts"} {
		a.Control("POST", "/catalogs", fmt.Sprintf(`{"id":%q,"name":%q}`, id, name))
	}
	return a
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// batch changes products at Meta that haatline is not asked for.
func (a *account) batch(id model.Name, requests ...map[string]any) {
	a.Helper()
	_, err := a.meta.Graph.AboutNode(a.Context(), string(id), whatsapp.NumberCall{
		Method: "POST", Edge: "items_batch",
		Body: map[string]any{"item_type": "PRODUCT_ITEM", "requests": requests}})
	if err != nil {
		a.Fatal(err)
	}
}

// product is the request that puts a product.
func product(id, price string) map[string]any {
	return map[string]any{"method": "UPDATE", "data": map[string]any{
		"id": id, "title": "Product " + id, "description": "about it", "availability": "in stock", "condition": "new",
		"price": price + " INR", "link": "https://haat.example", "image_link": "https://haat.example/" + id}}
}

// settles has the slow lane ask Meta until nothing waits.
func (a *account) settles() {
	a.Helper()
	a.Settles(a.rooms.Outbox(), a.handler, 8)
}

// reads has Meta asked for the account's catalogues, and returns them by their ids.
func (a *account) reads() map[model.Name]model.Catalog {
	a.Helper()
	a.Must(a.rooms.Catalogues.ReadAccount(a.Context(), "demo", wt.WABA, "user-1"))
	a.settles()
	return a.list()
}

func (a *account) list() map[model.Name]model.Catalog {
	a.Helper()
	all, next, err := a.rooms.Catalogues.List(a.Context(), wt.WABA, 100, "")
	if err != nil || next != "" {
		a.Fatal(err, next)
	}
	found := map[model.Name]model.Catalog{}
	for _, c := range all {
		found[c.CatalogID] = c
	}
	return found
}

// asks has Meta asked about a catalogue, and returns the catalogue as it is then.
func (a *account) asks(id model.Name, wish string) model.Catalog {
	a.Helper()
	a.Must(a.rooms.Catalogues.Ask(a.Context(), a.get(id), wish, "", "user-1"))
	a.settles()
	return a.get(id)
}

func (a *account) get(id model.Name) model.Catalog {
	a.Helper()
	c, err := a.rooms.Catalogues.Get(a.Context(), id)
	a.Must(err)
	return c
}

// products returns the products of a catalogue that are known.
func (a *account) products(id model.Name) (all []model.CatalogItem) {
	a.Helper()
	for after := ""; ; {
		page, next, err := a.rooms.Catalogues.Products(a.Context(), id, 100, after)
		a.Must(err)
		all = append(all, page...)
		if after = next; after == "" {
			return all
		}
	}
}

// push has the catalogue become what the store sells.
func (a *account) push(ctx context.Context) {
	a.Helper()
	writes, err := a.rooms.Catalogues.Push(ctx, "demo", sweets, store)
	if err == nil {
		err = a.rooms.DB.Transact(ctx, writes)
	}
	a.Must(err)
}
