package catalogues_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
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

const store = model.Name("STR-1")

// shelf is what a store sells, by the ids.
type shelf map[model.Name]catalogues.Offer

const shelfPage = 500

func (s shelf) Offers(_ context.Context, of model.Name, after string) (all []catalogues.Offer, next string,
	err error) {
	for _, id := range slices.Sorted(maps.Keys(s)) {
		if string(id) <= after || of != store {
			continue
		}
		if len(all) == shelfPage {
			return all, string(all[len(all)-1].RetailerID), nil
		}
		all = append(all, s[id])
	}
	return all, "", nil
}

func (s shelf) Offered(_ context.Context, of model.Name, ids []model.Name) (map[model.Name]catalogues.Offer, error) {
	found := map[model.Name]catalogues.Offer{}
	for _, id := range ids {
		if o, has := s[id]; has && of == store {
			found[id] = o
		}
	}
	return found, nil
}

func (s shelf) sells(id model.Name, price int64) {
	s[id] = catalogues.Offer{
		RetailerID: id, Title: "Product " + string(id), Description: "about it", Currency: "INR", InStock: true,
		Price: model.Amount{Decimal: decimal.NewFromInt(price)}, ImageURL: "https://haat.example/" + string(id)}
}

func (s shelf) changes(id model.Name, do func(o *catalogues.Offer)) {
	o := s[id]
	do(&o)
	s[id] = o
}

func noSleep(context.Context, time.Duration) error { return nil }

// keeps has a store keep the catalogue of sweets, and what it sells pushed there.
func keeps(t *testing.T, s shelf) *account {
	t.Helper()
	a := opened(t)
	a.reads()
	c := a.get(sweets)
	c.StoreID = store
	a.db.Seed(t, tables.Messages, c)
	a.handler[catalogues.EventPush] = a.rooms.Catalogues.PushHandler(a.meta, s, noSleep, sending.AsFailure)
	return a
}

// pushes has what the store sells pushed, and returns how far that is, and how often Meta was asked.
func (a *account) pushes() (model.CatalogPush, int) {
	a.Helper()
	a.meta.asked.Forget()
	a.push(a.Context())
	a.settles()
	return *a.get(sweets).Push, len(a.meta.asked.All())
}

// atMeta returns what Meta has, as id, price and availability.
func (a *account) atMeta() string {
	a.Helper()
	answer, err := a.meta.Graph.AboutNode(a.Context(), string(sweets), whatsapp.NumberCall{Edge: "products",
		Query: map[string][]string{"fields": {"retailer_id,price,availability"}, "limit": {"100"}}})
	a.Must(err)
	var all []string
	for _, o := range answer.List("data").Objects() {
		all = append(all, o.Text("retailer_id")+" "+o.Text("price")+" "+o.Text("availability"))
	}
	return strings.Join(all, ", ")
}

// An attempt ends after a number of pages. The next one goes on behind them, even if nothing differed.
func TestALargeCatalogueWithoutAChangeIsComparedToItsEnd(t *testing.T) {
	a := keeps(t, shelf{})
	var theirs []any
	for i := range 7_000 {
		id := model.Name(fmt.Sprintf("p%05d", i))
		theirs = append(theirs, model.CatalogItem{
			PK: keys.CatalogItem(sweets, id).Partition, ItemType: model.ItemCatalogItem, CatalogID: sweets,
			RetailerID: id, Version: 1})
	}
	a.db.Seed(t, tables.Messages, theirs...)
	if got, asked := a.pushes(); got.EndedAt == "" || asked != 0 {
		t.Errorf("asked %d times: %+v", asked, got)
	}
}

func TestWhatAStoreSellsIsInItsCatalogue(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	s.sells("p2", 20)
	a := keeps(t, s)
	a.batch(sweets, product("theirs", "5")) // somebody has put it there
	got, asked := a.pushes()
	if got.EndedAt == "" || got.Changed != 2 || got.Deleted != 0 || got.Refused != 0 || got.Problem != "" {
		t.Fatalf("%+v", got)
	}
	const first = "p1 ₹10.00 in stock, p2 ₹20.00 in stock, theirs ₹5.00 in stock"
	if has := a.atMeta(); has != first || asked != 3 { // the batch, and two looks at it
		t.Errorf("asked %d times: %s", asked, has)
	}
	if got, asked := a.pushes(); asked != 0 || got.Changed != 0 || got.EndedAt == "" {
		t.Errorf("without a change, asked %d times: %+v", asked, got)
	}
	s.changes("p1", func(o *catalogues.Offer) { o.InStock = false })
	s.changes("p2", func(o *catalogues.Offer) { o.Price = model.Amount{Decimal: decimal.NewFromInt(21)} })
	if a.pushes(); a.atMeta() != "p1 ₹10.00 out of stock, p2 ₹21.00 in stock, theirs ₹5.00 in stock" {
		t.Error(a.atMeta())
	}
	delete(s, "p1")
	if got, _ := a.pushes(); got.Deleted != 1 || a.atMeta() != "p2 ₹21.00 in stock, theirs ₹5.00 in stock" {
		t.Errorf("%s, %+v", a.atMeta(), got)
	}
	if _, err := a.rooms.Catalogues.Product(t.Context(), sweets, "p1"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("p1: %v", err)
	}
}

// What somebody changes at Meta shows after a sync, and is put right by the next push.
func TestWhatSomebodyHasChangedAtMetaIsPutRight(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	s.sells("p2", 20)
	a := keeps(t, s)
	a.pushes()
	a.batch(sweets, product("p1", "99"), map[string]any{"method": "DELETE", "data": map[string]any{"id": "p2"}})
	a.asks(sweets, catalogues.Sync)
	if got, _ := a.pushes(); got.Changed != 2 || a.atMeta() != "p1 ₹10.00 in stock, p2 ₹20.00 in stock" {
		t.Errorf("%s, %+v", a.atMeta(), got)
	}
	a.asks(sweets, catalogues.Sync)
	if _, asked := a.pushes(); asked != 0 {
		t.Errorf("after a sync without changes, asked %v", a.meta.asked.All())
	}
}

func TestWhatMetaDoesNotTakeIsReportedByProduct(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	for _, id := range []model.Name{"none", "free", "bad"} {
		s.sells(id, 10)
	}
	s.changes("none", func(o *catalogues.Offer) { o.ImageURL = "" })
	s.changes("free", func(o *catalogues.Offer) { o.Price = model.Amount{} })
	s.changes("bad", func(o *catalogues.Offer) { o.Currency = "rupees" })
	a := keeps(t, s)
	for range 2 { // the second one asks nothing
		a.pushes()
		if has := a.atMeta(); has != "p1 ₹10.00 in stock" {
			t.Error(has)
		}
		for id, want := range map[model.Name]string{
			"none": "picture", "free": "no price", "bad": "currency code", "p1": ""} {
			p, err := a.rooms.Catalogues.Product(t.Context(), sweets, id)
			if err != nil || !strings.Contains(p.Problem, want) || (want == "") != (p.Problem == "") {
				t.Errorf("%s: %+v, %v", id, p, err)
			}
		}
	}
	if len(a.meta.asked.All()) != 0 {
		t.Errorf("asked %v", a.meta.asked.All())
	}
	// What becomes right is put, and what becomes wrong is not shown any more.
	s.changes("none", func(o *catalogues.Offer) { o.ImageURL = "https://haat.example/none" })
	s.changes("p1", func(o *catalogues.Offer) { o.ImageURL = "" })
	a.pushes()
	p, err := a.rooms.Catalogues.Product(t.Context(), sweets, "p1")
	if has := a.atMeta(); has != "none ₹10.00 in stock" || err != nil || p.Problem == "" {
		t.Errorf("%s, %+v, %v", has, p, err)
	}
	delete(s, "bad") // Meta has never had it
	a.meta.asked.Forget()
	a.pushes()
	if _, err := a.rooms.Catalogues.Product(t.Context(), sweets, "bad"); !errors.Is(err, dynamo.ErrNotFound) ||
		len(a.meta.asked.All()) > 0 {
		t.Errorf("%v, asked %v", err, a.meta.asked.All())
	}
}

// Meta refuses a whole batch because of one request in it. The others are carried out, and nothing is asked in vain.
func TestAProductThatMetaRefusesAtOnceHoldsUpNoOther(t *testing.T) {
	s := shelf{}
	for i := range 20 {
		s.sells(model.Name(fmt.Sprintf("p%02d", i)), 10)
	}
	a := keeps(t, s)
	for _, bad := range []string{"p07", "p13"} {
		a.Control("POST", "/faults",
			`{"match":{"type":"setting","textContains":"Product `+bad+`"},"times":-1,"fail":{"code":100}}`)
	}
	got, _ := a.pushes()
	if got.EndedAt == "" || got.Problem != "" || got.Changed != 18 || got.Refused < 2 {
		t.Errorf("%+v", got)
	}
	for _, item := range a.products(sweets) {
		bad := item.RetailerID == "p07" || item.RetailerID == "p13"
		if item.AtMeta == bad || (item.Problem != "") != bad {
			t.Errorf("%+v", item)
		}
	}
	if got, asked := a.pushes(); asked != 0 || got.Refused != 2 {
		t.Errorf("asked %d times: %+v", asked, got)
	}
	a.Control("DELETE", "/faults", "")
	for _, good := range []model.Name{"p07", "p13"} {
		s.sells(good, 11)
	}
	if got, _ := a.pushes(); got.Changed != 2 || got.Refused != 0 || len(a.products(sweets)) != 20 {
		t.Errorf("%+v", got)
	}
}

// A product that is to go, and that Meta does not let go, is asked for once.
func TestAProductThatMetaDoesNotTakeAwayIsAskedForOnce(t *testing.T) {
	s := shelf{}
	for i := range 4 {
		s.sells(model.Name(fmt.Sprintf("p%02d", i)), 10)
	}
	a := keeps(t, s)
	a.pushes()
	a.Control("POST", "/faults", `{"match":{"type":"setting","textContains":"DELETE"},"times":-1,"fail":{"code":100}}`)
	s.changes("p01", func(o *catalogues.Offer) { o.ImageURL = "" })
	delete(s, "p02")
	got, _ := a.pushes()
	if got.EndedAt == "" || got.Problem != "" || got.Deleted != 0 || got.Refused < 2 {
		t.Errorf("%+v", got)
	}
	if _, asked := a.pushes(); asked != 0 {
		t.Errorf("asked %v", a.meta.asked.All())
	}
}

// A catalogue that Meta does not show is the fault of no product.
func TestACatalogueThatIsGoneIsTheFaultOfNoProduct(t *testing.T) {
	const gone = model.Name("300000000000009")
	s := shelf{}
	s.sells("p1", 10)
	a := keeps(t, s)
	a.db.Seed(t, tables.Messages, model.Catalog{
		PK: keys.Catalog(gone).Partition, ItemType: model.ItemCatalog, CatalogID: gone, TenantID: "demo",
		WABAMetaID: wt.WABA, StoreID: store, Version: 1})
	_, err := a.handler[catalogues.EventPush].Send(t.Context(), model.OutboxEvent{
		EventID: "first", EcosystemID: "demo", Payload: fmt.Appendf(nil, `{"catalogId":%q,"storeId":%q}`, gone, store)})
	var failure *outbox.Failure
	if found := a.products(gone); !errors.As(err, &failure) || failure.Attempts < 2 || len(found) > 0 {
		t.Errorf("%v, %+v", err, found)
	}
}

func TestManyProductsArePushedInSteps(t *testing.T) {
	s := shelf{}
	const many = 1250
	for i := range many {
		s.sells(model.Name(fmt.Sprintf("p%04d", i)), 10)
	}
	a := keeps(t, s)
	a.Control("POST", "/faults", `{"match":{"type":"setting"},"times":1,"loseAnswer":true}`)
	got, _ := a.pushes() // 300, 200, 300, 200, 250, and the one whose answer is lost
	posts := strings.Count(strings.Join(a.meta.asked.All(), "\n"), "POST items_batch")
	if got.Changed != many || got.EndedAt == "" || posts != 6 {
		t.Errorf("%d posts, %+v", posts, got)
	}
	if found := a.products(sweets); len(found) != many || !found[0].AtMeta {
		t.Errorf("%d products", len(found))
	}
}

// A change while a push is under way is not lost.
func TestAnotherPushMeanwhileComparesOnceMore(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	a := keeps(t, s)
	c := a.get(sweets)
	c.Push = &model.CatalogPush{Event: "first", BeganAt: model.At(a.Clock()), Put: true, Cleared: true, Step: 3}
	a.db.Seed(t, tables.Messages, c)
	a.pushes() // it leaves it to the first
	if got := a.get(sweets).Push; !got.Again || got.Event != "first" || a.atMeta() != "" {
		t.Fatalf("%+v, %s", got, a.atMeta())
	}
	_, err := a.handler[catalogues.EventPush].Send(t.Context(), model.OutboxEvent{
		EventID: "first", EcosystemID: "demo",
		Payload: fmt.Appendf(nil, `{"catalogId":%q,"storeId":%q}`, sweets, store)})
	if got := a.get(sweets).Push; err != nil || got.EndedAt == "" || got.Again || a.atMeta() != "p1 ₹10.00 in stock" {
		t.Errorf("%v, %+v, %s", err, got, a.atMeta())
	}
}

func TestACatalogueThatTheStoreDoesNotKeepIsLeftAlone(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	a := keeps(t, s)
	c := a.get(sweets)
	c.StoreID = "STR-2"
	a.db.Seed(t, tables.Messages, c)
	a.meta.asked.Forget()
	a.push(t.Context())
	if a.settles(); len(a.meta.asked.All()) > 0 || a.get(sweets).Push != nil {
		t.Errorf("asked %v", a.meta.asked.All())
	}
}

// finished is a Meta that has carried out every batch.
type finished struct{}

func (finished) AboutNode(_ context.Context, _, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	if call.Method == "POST" {
		return whatsapp.ObjectOf([]byte(`{"handles":["H1"]}`)), nil
	}
	return whatsapp.ObjectOf([]byte(`{"data":[{"status":"finished","ids_of_invalid_requests":["p2"],
		"errors":[{"id":"p2","message":"no"}]}]}`)), nil
}

func TestAPushSurvivesEveryCrashPoint(t *testing.T) {
	s := shelf{}
	s.sells("p1", 10)
	s.sells("p2", 20)
	s.sells("p3", 30)
	s.changes("p3", func(o *catalogues.Offer) { o.ImageURL = "" })
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			gone := model.CatalogItem{
				PK: keys.CatalogItem(sweets, "p0").Partition, ItemType: model.ItemCatalogItem, CatalogID: sweets,
				RetailerID: "p0", Hash: "h", AtMeta: true, Version: 1}
			db.Seed(t, tables.Messages, theNumber, gone, model.Catalog{
				PK: keys.Catalog(sweets).Partition, ItemType: model.ItemCatalog, CatalogID: sweets, TenantID: "demo",
				WABAMetaID: wt.WABA, StoreID: store, Version: 1})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := roomsOn(client, func() time.Time { return noon })
			handler := rooms.Catalogues.PushHandler(finished{}, s, noSleep, sending.AsFailure)
			_, err := handler.Send(ctx, model.OutboxEvent{EventID: "e1", EcosystemID: "demo",
				Payload: fmt.Appendf(nil, `{"catalogId":%q,"storeId":%q}`, sweets, store)})
			var later *outbox.Later
			if errors.As(err, &later) {
				return errors.New("later")
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}
