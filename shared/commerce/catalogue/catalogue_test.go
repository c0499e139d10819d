package catalogue_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// shop returns a store's catalogue on an engine.
func shop(t testing.TB) (*catalogue.Catalogue, commercemodel.Store, *dynamotest.DB) {
	t.Helper()
	db := dynamotest.Start(t, tables.Stores, tables.Products)
	store := commercemodel.Store{
		PK: "STR-1", ID: "STR-1", StoreID: "STR-1", TenantID: "demo", GSI1PK: "OWNER#1", GSI1SK: model.At(noon),
		CreatedAt: model.At(noon), Version: 1}
	db.Seed(t, tables.Stores, store)
	return &catalogue.Catalogue{DB: db.Client, Now: func() time.Time { return noon }}, store, db
}

const header = "product_id,name,name_local,category,brand,unit,pack_size,price,stock,keywords\n"

func TestAFileIsReadLineByLine(t *testing.T) {
	for name, c := range map[string]struct {
		file           string
		stored, faulty int
		faults         string // line column of each
		refused        bool
	}{
		"good":                   {header + "A,Rice,चावल,Staples,,kg,,62.50,10.5,chawal;bhaat\n", 1, 0, "", false},
		"with a byte order mark": {"\xef\xbb\xbf" + header + "A,Rice,,,,kg,,62,,\n", 1, 0, "", false},
		"other order, no id":     {"price,unit,name\n10,piece,Soap\n", 1, 0, "", false},
		"empty lines":            {header + "\nA,Rice,,,,kg,,62,,\n,,,,,,,,,\n", 1, 0, "", false},
		"a variant": {
			header + "A/5KG,Atta,,,,packet,5 kg,270,3,\nA/10KG,Atta,,,,packet,10 kg,525,2,\n", 2, 0, "", false},
		"no price":                {header + "A,Rice,,,,kg,,,,\nB,Dal,,,,kg,,160,,\n", 1, 1, "2 price", false},
		"no name, no such unit":   {header + "A,,,,,bag,,1,,\n", 0, 1, "2 name, 2 unit", false},
		"three decimals of money": {header + "A,Rice,,,,kg,,62.505,,\n", 0, 1, "2 price", false},
		"tax": {
			"name,unit,price,tax_rate,hsn\nRice,kg,62,0.25,1006\nSoap,piece,10,18,\n", 2, 0, "", false},
		"no such tax": {
			"name,unit,price,tax_rate,hsn\nRice,kg,62,40.01,10061\nSoap,piece,10,-1,12ab\nOil,l,9,five,\n", 0, 3,
			"2 tax_rate, 2 hsn, 3 tax_rate, 3 hsn, 4 tax_rate", false},
		"an exponent":              {header + "A,Rice,,,,kg,,1e9,,\n", 0, 1, "2 price", false},
		"less than nothing":        {header + "A,Rice,,,,kg,,5,-1,\n", 0, 1, "2 stock", false},
		"the same twice":           {header + "A,Rice,,,,kg,,5,,\nA,Rice,,,,kg,,6,,\n", 1, 1, "3 product_id", false},
		"an id with a slash more":  {header + "A/B/C,Rice,,,,kg,1 kg,5,,\n", 0, 1, "2 product_id", false},
		"a name in angle brackets": {header + "A,<script>alert(1)</script>,,,,kg,,5,,\n", 1, 0, "", false},
		"a control character":      {header + "A,Ri\x07ce,,,,kg,,5,,\n", 0, 1, "2 name", false},
		"Latin-1":                  {header + "A,Caf\xe9,,,,kg,,5,,\n", 0, 0, "", true},
		"UTF-16":                   {"\xff\xfen\x00a\x00m\x00e\x00", 0, 0, "", true},
		"no header":                {"A,Rice,kg,5\n", 0, 0, "", true},
		"nothing at all":           {"", 0, 0, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop, store, db := shop(t)
			report, err := shop.Import(t.Context(), store, []byte(c.file), false)
			if c.refused != errors.Is(err, catalogue.ErrFile) || !c.refused && err != nil {
				t.Fatalf("%+v, %v", report, err)
			}
			var faults []string
			for _, f := range report.Faults {
				faults = append(faults, fmt.Sprint(f.Line, " ", f.Column))
			}
			if got := strings.Join(faults, ", "); report.Stored != c.stored || report.Faulty != c.faulty ||
				got != c.faults {
				t.Errorf("stored %d, faulty %d: %s", report.Stored, report.Faulty, got)
			}
			if c.faulty > 0 { // all or nothing
				before := db.Dump(t)
				if report, err := shop.Import(t.Context(), store,
					[]byte(strings.ReplaceAll(c.file, "Rice", "Other rice")), true); err != nil || report.Stored != 0 {
					t.Errorf("%+v, %v", report, err)
				}
				if diff := cmp.Diff(before, db.Dump(t)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// An exported catalogue that is imported again is the same, and no cell is a formula to a spreadsheet.
func TestAnExportIsImportedAsItWas(t *testing.T) {
	shop, store, db := shop(t)
	file := header + `A,"=HYPERLINK(""http://x"")",नाम,+Cat,-Brand,kg,,62.5,10,@a;b
B/1KG,"Atta, fine",,Flour,,packet,1 kg,60,5,
B/5KG,"Atta, fine",,Flour,,packet,5 kg,280,,
C,'quoted,,,,piece,,5,,
`
	if report, err := shop.Import(t.Context(), store, []byte(file), true); err != nil || report.Stored != 4 ||
		report.Faulty != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	before := db.Dump(t)
	var exported bytes.Buffer
	if err := shop.Export(t.Context(), store.ID, &exported); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(exported.String(), "\n")[1:] {
		for _, cell := range strings.Split(line, ",") {
			if cell = strings.Trim(cell, `"`); cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("a formula: %s", line)
			}
		}
	}
	if report, err := shop.Import(t.Context(), store, exported.Bytes(), true); err != nil || report.Faulty != 0 {
		t.Fatalf("%+v, %v\n%s", report, err, exported.String())
	}
	if diff := cmp.Diff(before, db.Dump(t)); diff != "" {
		t.Errorf("%s\n%s", diff, exported.String())
	}
}

// A sale between reading a product and writing it is not lost.
func TestAnEditDoesNotUndoASale(t *testing.T) {
	shop, store, db := shop(t)
	if _, err := shop.Import(t.Context(), store, []byte(header+"A,Rice,,,,kg,,62,10,\n"), true); err != nil {
		t.Fatal(err)
	}
	sold := false
	_, err := shop.Set(t.Context(), store, "A", 1, func(p *commercemodel.Product) {
		if !sold {
			sold = true
			p := *p
			p.StockQuantity = &model.Amount{Decimal: decimal.NewFromInt(4)}
			db.Seed(t, tables.Products, p)
		}
		p.Name = "Best rice"
	})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := shop.Get(t.Context(), store.ID, "A"); err != nil || p.Name != "Best rice" ||
		p.StockQuantity.String() != "4" {
		t.Errorf("%+v, %v", p, err)
	}
}

// A stock that is counted from some day on says so, whichever way it came.
func TestAProductSaysSinceWhenItsStockIsCounted(t *testing.T) {
	shop, store, _ := shop(t)
	for _, file := range []string{
		"A,Rice,,,,kg,,62,10,\nB,Salt,,,,kg,,20,,\n", "A,Rice,,,,kg,,62,12,\nB,Salt,,,,kg,,20,5,\n"} {
		if _, err := shop.Import(t.Context(), store, []byte(header+file), true); err != nil {
			t.Fatal(err)
		}
		now := shop.Now()
		shop.Now = func() time.Time { return now.Add(time.Hour) }
	}
	set := func(quantity *model.Amount) commercemodel.Product {
		t.Helper()
		was, err := shop.Get(t.Context(), store.ID, "A")
		if err == nil {
			was, err = shop.Set(t.Context(), store, "A", was.Version,
				func(p *commercemodel.Product) { p.StockQuantity = quantity })
		}
		if err != nil {
			t.Fatal(err)
		}
		return was
	}
	rice, err := shop.Get(t.Context(), store.ID, "A")
	if err != nil || rice.CountedSince("A") != rice.CreatedAt {
		t.Errorf("%+v, %v", rice, err)
	}
	salt, err := shop.Get(t.Context(), store.ID, "B")
	if err != nil || salt.CountedSince("B") != salt.UpdatedAt || salt.UpdatedAt == salt.CreatedAt {
		t.Errorf("%+v, %v", salt, err)
	}
	some := &model.Amount{Decimal: decimal.NewFromInt(4)}
	if none := set(nil); len(none.CountedFrom) > 0 {
		t.Errorf("%+v", none)
	}
	again := set(some)
	if more := set(&model.Amount{Decimal: decimal.NewFromInt(5)}); again.CountedSince("A") != again.UpdatedAt ||
		more.CountedSince("A") != again.UpdatedAt {
		t.Errorf("%+v, then %+v", again, more)
	}
}

func TestTheIndexFollowsTheCatalogue(t *testing.T) {
	shop, store, _ := shop(t)
	now := noon
	shop.Now = func() time.Time { return now }
	found := func() []string {
		t.Helper()
		if err := shop.DB.Get(t.Context(), tables.Stores, keys.Store(store.ID), &store); err != nil {
			t.Fatal(err)
		}
		index, err := shop.Index(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		products, err := shop.Search(t.Context(), store, "kolam raice", 5)
		if err != nil || len(products) != len(index.Search("rice", 5)) {
			t.Errorf("found %v, %v", products, err)
		}
		return index.Search("rice", 5)
	}
	if got := found(); len(got) != 0 {
		t.Errorf("found %v in nothing", got)
	}
	now = now.Add(time.Minute)
	if _, err := shop.Import(t.Context(), store, []byte(header+"A,Kolam Rice,,,,kg,,62,10,\n"), true); err != nil {
		t.Fatal(err)
	}
	if got := found(); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	now = now.Add(time.Minute)
	if err := shop.Remove(t.Context(), store, "A"); err != nil {
		t.Fatal(err)
	}
	if got := found(); len(got) != 0 {
		t.Errorf("still finds %v", got)
	}
}

func FuzzRows(f *testing.F) {
	f.Add([]byte(header + "A,Rice,,,,kg,,62,10,\n"))
	f.Add([]byte("\xef\xbb\xbfname,unit,price\n\"a\nb\",kg,1"))
	f.Fuzz(func(t *testing.T, file []byte) {
		_ = catalogue.Rows(bytes.NewReader(file), func(row catalogue.Row) error {
			if len(row.Faults) == 0 && len(catalogue.Faults(row.Product)) > 0 {
				t.Errorf("%+v passed", row.Product)
			}
			return nil
		})
	})
}

// An import asks once for what is there. A product that is sold from between reading and writing is read again.
func TestAnImportReadsEachProductOnce(t *testing.T) {
	shop, store, db := shop(t)
	file := func(price string) []byte {
		rows := header
		for i := range 60 {
			rows += fmt.Sprintf("P%02d,Rice %d,,,,kg,,%s,,\n", i, i, price)
		}
		return []byte(rows)
	}
	// Fifty products at most are read in one round trip, and created in another one. The first import also counts the
	// products, which takes five round trips. Each import marks the store.
	for _, c := range []struct {
		price string
		trips int
	}{{"62", 10}, {"62", 3}, {"63", 63}} {
		client, meter := db.Metered(t)
		shop.DB = client
		if _, err := shop.Import(t.Context(), store, file(c.price), true); err != nil {
			t.Fatal(err)
		}
		if got := meter.Cost().RoundTrips; got != c.trips {
			t.Errorf("an import at %s takes %d round trips, want %d", c.price, got, c.trips)
		}
	}
	sold := make(chan struct{}, 1)
	sold <- struct{}{}
	shop.DB = db.Through(before(func(request *http.Request) {
		if !strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".PutItem") {
			return
		}
		select {
		case <-sold:
			p, err := (&catalogue.Catalogue{DB: db.Client}).Get(t.Context(), store.ID, "P00")
			if err != nil {
				t.Error(err)
			}
			p.StockQuantity = &model.Amount{Decimal: decimal.NewFromInt(4)}
			db.Seed(t, tables.Products, p)
		default:
		}
	}))
	one := file("64")[:len(header)+len("P00,Rice 0,,,,kg,,64,,\n")]
	if _, err := shop.Import(t.Context(), store, one, true); err != nil {
		t.Fatal(err)
	}
	if p, err := shop.Get(t.Context(), store.ID, "P00"); err != nil || p.Price.String() != "64" ||
		p.StockQuantity == nil || p.StockQuantity.String() != "4" {
		t.Errorf("%+v, %v", p, err)
	}
}

// before sees each request before the engine does.
type before func(request *http.Request)

func (b before) RoundTrip(request *http.Request) (*http.Response, error) {
	b(request)
	return http.DefaultTransport.RoundTrip(request)
}
