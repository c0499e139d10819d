package nlu_test

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

func TestAYesIsNothingButAYes(t *testing.T) {
	for want, texts := range map[nlu.Reply][]string{
		nlu.Yes: {
			"haan", "Ha ji", "HAAN JI BHEJ DO", "yes please", "ok", "okkk", "k", "thik hai", "theek h kar do",
			"bhej do bhaiya", "kar dijiye", "place it", "place the order please",
			"👍🏽", "👌", "✅", "🙏 haan", "हाँ जी", "ठीक है, भेज दीजिए", "कर दीजिए", "go ahead", "done",
			"bas itna hi, bhej do", "that's all, place it", "looks good", "jaise likha hai waise hi bhej do",
			"ji", "sahi hai bhai", "yes, confirm my order", "ha ab bhej do",
			"go ahead and place it", "होय", "हो, पाठवा", "ठीक आहे",
		},
		nlu.No: {"nahi", "no thanks", "rehne do", "nahi chahiye", "leave it", "forget it", "cancel kar do", "mat bhejo",
			"रहने दो", "नहीं चाहिए", "👎", "no need", "leave it then", "kar do mat",
			"नको", "नाही", "na ji", "na bhai"},
		nlu.Hold: {
			"ruko", "ek minute", "abhi nahi", "not now", "haan main soch ke batata hu", "ok let me ask my wife",
			"theek hai lekin abhi nahi", "kal bataunga", "abhi ruk jao ghar pe puch ke bolta hu",
			"not yet, wait", "रुको",
		},
		"": {
			"rate zyada hai", "kitne ka hai", "ye sahi nahi hai", "theek hai par kal bhejna",
			"ghar ka pata 14 MG road hai", "haan?", "ok?", "is that right?", "ha par rate kya hai",
			"maine confirm nahi kiya", "haan 5 aur bhej do", "yes but no onions", "theek hai na", "good quality?",
			"haan ya na", "kal chahiye", "mere paas cash nahi hai", "done nahi hai",
			"ok how much", "हो गया", "sahi daam lagao", "2", "", "accha",
			"लीक हो रहा है", "लेट हो रहा है", "पैक हो रहा", "हो रहा है", "दो हो", "send ho gaya", "main theek hu",
			"aap theek ho", "मैं ठीक हूँ", "right na", "ji na", "do bhejo", "sahi wala bhejo", "अच्छा भेजो",
		},
	} {
		for _, text := range texts {
			if got := nlu.ReplyOf(text, nil); got != want {
				t.Errorf("%q is %q, want %q", text, got, want)
			}
		}
	}
	repeats := func(word string) bool { return word == "pani" || word == "6" }
	if got := nlu.ReplyOf("haan 6 pani bhej do", repeats); got != nlu.Yes {
		t.Errorf("a yes that repeats what was shown is %q", got)
	}
	if got := nlu.ReplyOf("yes! and 6 pani", repeats); got != "" {
		t.Errorf("a yes that adds goods is %q", got)
	}
	if got := nlu.ReplyOf("haan 7 pani bhej do", repeats); got != "" {
		t.Errorf("a yes that says another quantity is %q", got)
	}
}

// A yes with a but is one that is shown again, never a Reply. With a refusal behind the but, it is no yes at all.
func TestAYesWithABut(t *testing.T) {
	x := index(t, "packing")
	for text, want := range map[string]bool{
		"haan lekin sham ko bhejna": true, "ji bhej dijiye par sham ko": true, "haan lekin nahi chahiye": false,
		"haan par mat bhejna": false, "haan lekin ruko": false, "yes but cancel it": false, "yes but how much": false,
	} {
		if r := x.Read(text); (r.Intent == nlu.Confirm) != want || r.Reply == nlu.Yes {
			t.Errorf("%s: %s, reply %q", text, r.Intent, r.Reply)
		}
	}
}

func TestWhatStandsBeforeADoTellsWhetherItCounts(t *testing.T) {
	for _, c := range []struct{ shop, text, quantity string }{
		{"packing", "brown tape 2 inch wali do", "2"}, {"itra", "white musk 6 ml do", "2"},
		{"homoeo", "arnica shampoo do", "1"}, {"packing", "brown tape 2 inch 5 do", "5"}} {
		r := index(t, c.shop).Read(c.text)
		if len(r.Lines) != 1 || r.Lines[0].Quantity.String() != c.quantity {
			t.Errorf("%s: %+v, want %s", c.text, r.Lines, c.quantity)
		}
	}
	if r := index(t, "packing").Read("sutli wali do"); len(r.Asks) != 1 || r.Asks[0].Missing != nlu.MissingQuantity {
		t.Errorf("a loose good: %+v", r)
	}
}

// A message that names goods asks for them. It does not confirm what was shown.
func TestAWishForGoodsIsNoYes(t *testing.T) {
	shop := nlu.NewIndex([]nlu.Product{
		{ID: "gud", Name: "Jaggery", Unit: "kg"}, {ID: "dal", Name: "Tur Dal", Unit: "kg"},
		{ID: "biscuit", Name: "Good Day Biscuit", Unit: "packet"}, {ID: "rice", Name: "Basmati Rice", Unit: "kg"},
	})
	for text, yes := range map[string]bool{
		"dal bhej do": false, "daal bhej do": false, "दाल भेज दो": false, "gud bhej do": false, "गुड़ भेज दो": false,
		"ice bhej do": false, "तीस भेज दो": false, "सेट भेज दो": false, "set bhej do": false,
		"order dal do": true, "good, bhej do": true, "haan bhej do": true, "ठीक है भेज दो": true,
	} {
		if got := shop.Read(text).Reply == nlu.Yes; got != yes {
			t.Errorf("%q is a yes: %v", text, got)
		}
	}
}
