package nlu_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/infra/phrasings"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/golden"
)

// shops are the catalogues in testdata. Each has labelled messages beside it.
var shops = []string{
	"achar", "agri", "anna", "appl", "aqua", "artshop", "autoparts", "ayur", "baans", "babycare", "bakery",
	"battery", "bazaar", "bearing", "beauty", "bharat", "bikeacc", "biryani", "bldg", "cakehub", "camp",
	"canteen", "carcare", "cctv", "chadar", "chakki", "chamda", "chem", "chhapai", "chhat", "choodi",
	"chulha", "cleaning", "compu", "corner", "cosmetics", "cycles", "dairy", "decor", "dhaba", "dhobi",
	"disposables", "dj", "dryfruit", "electrical", "erick", "farsan", "fish", "frozen", "fruit", "furni",
	"gadda", "garments", "gehna", "general", "ghadi", "gifts", "gokul", "greens", "gym", "hardware", "homoeo",
	"hosiery", "hvac", "icecream", "itra", "jaivik", "jal", "juice", "kabla", "kagaz", "kanch", "kanta",
	"kapda", "khadi", "kirana", "kitab", "kolhapur", "krishi", "lab", "lohar", "masala", "meat", "medical",
	"milk", "misthan", "mithai", "mobile", "murti", "nukkad", "nursery", "oon", "optic", "packing", "paint",
	"pan", "parda", "parlour", "party", "pashu", "patakha", "patang", "petshop", "pharmacy", "phones",
	"phool", "photo", "pizzeria", "plastic", "plumb", "ply", "pooja", "poultry", "provisions", "rassi",
	"ratna", "robo", "romart", "sabzi", "safar", "saree", "sargam", "school", "shaadi", "shahad", "sharbat",
	"shoes", "silai", "snacks", "solar", "south", "sports", "stationery", "suraksha", "surgical", "tailoring",
	"tea", "tiffin", "tiles", "toys", "tractor", "trophy", "udupi", "utensils", "veg", "welding", "wholesale",
	"wok",
}

func index(t testing.TB, shop string) *nlu.Index {
	t.Helper()
	products, err := phrasings.ReadCatalogue(filepath.Join("testdata", shop+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	return nlu.NewIndex(products)
}

// The golden file lists the messages that are misread. It should only get shorter.
func TestCustomersAreUnderstood(t *testing.T) {
	var misses strings.Builder
	for _, shop := range shops {
		x := index(t, shop)
		files, err := filepath.Glob(filepath.Join("testdata", shop+"*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no messages: %v", shop, err)
		}
		for _, file := range files {
			messages, err := phrasings.ReadMessages(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				if !phrasings.Right(m.Expect, phrasings.Given(x.Read(m.Text))) {
					misses.WriteString(filepath.Base(file) + " " + m.ID + " " +
						strings.ReplaceAll(m.Text, "\n", " / ") + "\n")
				}
			}
		}
	}
	golden.Compare(t, "testdata/misses.golden", misses.String())
}

// A message is always read alike: no order of a map decides which of two ways to read it is taken.
func TestAMessageIsReadAlike(t *testing.T) {
	for _, shop := range []string{"shoes", "garments", "canteen", "kirana"} {
		messages, err := phrasings.ReadMessages(filepath.Join("testdata", shop+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		x, again := index(t, shop), index(t, shop)
		for _, m := range messages {
			want := fmt.Sprintf("%+v", x.Read(m.Text))
			for range 3 {
				if got := fmt.Sprintf("%+v", again.Read(m.Text)); got != want {
					t.Errorf("%s: read as %s, and as %s", m.Text, want, got)
				}
			}
		}
	}
}

func TestAQuantityWithoutAProduct(t *testing.T) {
	x := index(t, "sabzi")
	for text, want := range map[string]string{
		"2 किलो": "2000 g", "2": "2", "do kilo": "2000 g", "500 gm": "500 g", "ek packet": "1 packet", "50 ka": "₹50",
		"adha kilo chahiye": "500 g",
		"2 kg kar do":       "2000 g", "nahi 3 kg karo": "3000 g", "do": "2", "2-3 kilo": "unclear", "2 hi bhejna": "2",
		"999999999 kg": "unclear", "-2 kg": "unclear", "0 kilo": "unclear",
	} {
		if r := x.Read(text); r.Quantity == nil || written(*r.Quantity) != want || r.Intent == nlu.Order ||
			r.Intent == nlu.Greeting {
			t.Errorf("%s: %+v, want %s", text, r, want)
		}
	}
	for _, text := range []string{
		"flat 402", "2 baje tak", "kal 500 rupaye bheje the", "aloo 2 kg", "kab aayega 2 kilo"} {
		if r := x.Read(text); r.Quantity != nil {
			t.Errorf("%s says how much of nothing: %+v", text, r.Quantity)
		}
	}
}

func written(q nlu.Quantity) string {
	switch {
	case q.Unclear:
		return "unclear"
	case !q.Size.IsZero():
		return q.Size.String() + " " + q.Base
	case !q.Rupees.IsZero():
		return "₹" + q.Rupees.String()
	}
	return strings.TrimSpace(q.Count.String() + " " + q.Pack)
}

func TestWhatIsNotWanted(t *testing.T) {
	x := index(t, "dairy")
	paneer := []string{"D-11", "D-12"}
	for _, text := range []string{
		"paneer hata do", "paneer nahi chahiye", "no paneer", "remove paneer", "पनीर मत भेजना", "don't send paneer"} {
		if r := x.Read(text); !slices.Equal(r.Removed, paneer) || r.Intent != nlu.Decline {
			t.Errorf("%s: %s of %v, want %v", text, r.Intent, r.Removed, paneer)
		}
	}
	if r := x.Read("aur 1 kg paneer add karo"); r.Intent != nlu.Order || len(r.Removed) > 0 {
		t.Errorf("an addition: %+v", r)
	}
}

func TestAnAskNamesTheThingAlone(t *testing.T) {
	x := index(t, "dairy")
	for text, want := range map[string]string{
		"2 packet full cream milk": "full cream milk", "milk 3": "milk", "amul 2 butter": "amul butter"} {
		if r := x.Read(text); len(r.Asks) != 1 || r.Asks[0].Text != want {
			t.Errorf("%s: %+v, want an ask for %s", text, r.Asks, want)
		}
	}
}

func TestAnAskIsResolvedByTheProductThatTheCustomerPicks(t *testing.T) {
	x := index(t, "dairy")
	r := x.Read("2 packet full cream milk")
	if len(r.Asks) != 1 {
		t.Fatalf("asks: %+v", r.Asks)
	}
	line, _, ok := x.Resolve("D-04", r.Asks[0])
	if !ok || line.ProductID != "D-04" || !line.Quantity.Equal(decimal.NewFromInt(2)) || line.Unit != "packet" {
		t.Errorf("resolved to %+v, %t", line, ok)
	}
	if _, ask, ok := x.Resolve("D-31", nlu.Ask{Text: "jalebi"}); ok || ask.Missing != nlu.MissingQuantity ||
		ask.ProductID != "D-31" {
		t.Errorf("a loose good without a quantity: %+v, %t", ask, ok)
	}
	if _, _, ok := x.Resolve("unknown", r.Asks[0]); ok {
		t.Error("a product that is not in the catalogue was resolved")
	}
}

func TestSearchFindsSpellingsOfBothScripts(t *testing.T) {
	x := index(t, "sabzi")
	for query, want := range map[string]string{
		"aloo": "V-01", "आलू": "V-01", "potatoe": "V-01", "hari mirchi": "V-04", "kashmiri": "V-34", "pal": "V-23"} {
		if found := x.Search(query, 3); len(found) == 0 || found[0] != want {
			t.Errorf("%s finds %v, want %s first", query, found, want)
		}
	}
	if found := x.Near("brown grapes", 5); !slices.Equal(found, []string{"V-41", "V-42"}) {
		t.Errorf("near brown grapes: %v", found)
	}
	if found := x.Search("zzzz", 5); len(found) != 0 {
		t.Errorf("nothing is called zzzz: %v", found)
	}
}

func TestNobodyIsOfferedWhatIsTheOppositeOfTheirWish(t *testing.T) {
	x := index(t, "tiffin")
	if near := x.Near("chicken biryani", 5); slices.Contains(near, "T-14") {
		t.Errorf("near chicken biryani: %v, want no veg biryani", near)
	}
	if near := x.Near("jeera biryani", 5); !slices.Contains(near, "T-14") {
		t.Errorf("near jeera biryani: %v, want the veg biryani", near)
	}
}

func TestAnotherSizeOfWhatWasSpokenOf(t *testing.T) {
	x := index(t, "garments")
	for text, want := range map[string]string{
		"make it L instead": "POLO-BLU-L", "M nahi XL": "POLO-BLU-XL", "black wali": "POLO-BLA-M",
		"not the blue one, white": "POLO-WHI-M", "the black one in XL": "POLO-BLA-XL",
	} {
		if change, ok := x.Variant(text, []string{"BLT", "POLO-BLU-M"}); !ok || change.To != want {
			t.Errorf("%s: %+v, want %s", text, change, want)
		}
	}
	for _, text := range []string{
		"3 kar do", "black bhi", "aur ek black", "is it black?", "blue hata do", "green", "black kitne ka hai", "M",
		"black shirt is for my brother"} {
		if change, ok := x.Variant(text, []string{"BLT", "POLO-BLU-M"}); ok {
			t.Errorf("%s makes %+v", text, change)
		}
	}
}

func TestLongMessagesAreBounded(t *testing.T) {
	x := index(t, "sabzi")
	for _, text := range []string{
		strings.Repeat("🥔", 4096), strings.Repeat("aloo 2 kg ", 10_000), strings.Repeat("aloo ",
			20_000), strings.Repeat("2 3 ", 20_000), strings.Repeat("xqzwv", 20_000)} {
		if r := x.Read(text); len(r.Lines)+len(r.Asks) > 100 {
			t.Errorf("%d lines and %d asks", len(r.Lines), len(r.Asks))
		}
	}
}

// Whatever the text, a reading names only products of the catalogue, and a positive quantity of each.
func FuzzRead(f *testing.F) {
	products, err := phrasings.ReadCatalogue("testdata/general.csv")
	if err != nil {
		f.Fatal(err)
	}
	x := nlu.NewIndex(products)
	known := map[string]bool{"": true}
	for _, p := range products {
		known[p.ID] = true
	}
	for _, seed := range []string{
		"2 kg keel", "do do pen, नहीं 3 कर दो", "1/0 - 1,,5 ½ ₹", "x2 2x ya ya / na ho to", "A4 ka 0 packet",
		"١ ২ \u200d\u0301", "9w", "rs", "- 1 -"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := x.Read(text)
		if len(r.Lines)+len(r.Asks) > 100 || r.Intent == "" {
			t.Fatalf("%d lines, %d asks, intent %q", len(r.Lines), len(r.Asks), r.Intent)
		}
		for _, line := range r.Lines {
			if !known[line.ProductID] || !line.Quantity.IsPositive() && !line.Amount.IsPositive() {
				t.Fatalf("line %+v", line)
			}
		}
		for _, ask := range r.Asks {
			for _, id := range append(ask.Options, ask.ProductID) {
				if !known[id] {
					t.Fatalf("ask %+v", ask)
				}
			}
		}
		x.Search(text, 5)
		x.Near(text, 5)
		if change, ok := x.Variant(text, []string{products[0].ID}); ok && !known[change.To] {
			t.Fatalf("changed to %q", change.To)
		}
	})
}
