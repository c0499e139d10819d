package conversations

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/model"
)

// catalogues are the shops of the conversations in testdata, by the beginning of the file's name.
var catalogues = []struct{ file, catalogue string }{
	{"kirana", "testdata/kirana.csv"}, {"blind-hardware", shops + "hardware.csv"},
	{"blind-mithai", shops + "mithai.csv"}, {"blind-bakery", shops + "bakery.csv"},
	{"blind-medical", shops + "medical.csv"}, {"blind-cosmetics", shops + "cosmetics.csv"},
	{"blind-wholesale", shops + "wholesale.csv"}, {"blind-answers", "testdata/kirana.csv"},
	{"blind-answers-2", shops + "meat.csv"}, {"blind-tiffin", shops + "tiffin.csv"},
	{"blind-mobile", shops + "mobile.csv"}, {"blind-garments", shops + "garments.csv"},
	{"blind-autoparts", shops + "autoparts.csv"}, {"blind-school", shops + "school.csv"},
	{"blind-nursery", shops + "nursery.csv"}, {"blind-answers-3", shops + "garments.csv"},
	{"blind-parlour", shops + "parlour.csv"}, {"blind-utensils", shops + "utensils.csv"},
	{"blind-electrical", shops + "electrical.csv"}, {"blind-dhaba", shops + "dhaba.csv"},
	{"blind-fish", shops + "fish.csv"}, {"blind-answers-6", shops + "electrical.csv"},
	{"blind-paint", shops + "paint.csv"}, {"blind-toys", shops + "toys.csv"},
	{"blind-fruit", shops + "fruit.csv"}, {"blind-answers-7", shops + "toys.csv"},
	{"blind-answers-4", shops + "parlour.csv"}, {"blind-petshop", shops + "petshop.csv"},
	{"blind-sports", shops + "sports.csv"}, {"blind-answers-5", shops + "petshop.csv"},
	{"blind-agri", shops + "agri.csv"}, {"blind-cleaning", shops + "cleaning.csv"},
	{"blind-milk", shops + "milk.csv"}, {"blind-snacks", shops + "snacks.csv"},
	{"blind-stationery", shops + "stationery.csv"}, {"blind-answers-8", shops + "milk.csv"},
	{"blind-bazaar", shops + "bazaar.csv"}, {"blind-answers-9", shops + "bazaar.csv"},
	{"blind-chem", shops + "chem.csv"}, {"blind-answers-10", shops + "biryani.csv"},
	{"blind-optic", shops + "optic.csv"}, {"blind-jal", shops + "jal.csv"}, {"blind-gehna", shops + "gehna.csv"},
	{"blind-frozen", shops + "frozen.csv"}, {"blind-chakki", shops + "chakki.csv"},
	{"blind-khadi", shops + "khadi.csv"}, {"blind-answers-11", shops + "khadi.csv"},
	{"blind-carcare", shops + "carcare.csv"},
	{"blind-answers-12", shops + "udupi.csv"},
	{"blind-kumhar", "testdata/kumhar.csv"}, {"blind-barsaat", "testdata/barsaat.csv"},
	{"blind-answers-13", "testdata/kumhar.csv"}, {"blind-answers-14", "testdata/barsaat.csv"},
	{"blind-answers-15", "testdata/barsaat.csv"},
	{"blind-answers-16", shops + "phool.csv"},
	{"blind-answers-17", shops + "gadda.csv"},
	{"blind-welding", shops + "welding.csv"},
	{"blind-answers-18", shops + "murti.csv"},
	{"blind-murti", shops + "murti.csv"},
	{"blind-answers-19", shops + "rassi.csv"},
	{"blind-answers-20", shops + "chamda.csv"},
	{"blind-answers-21", shops + "patang.csv"}, {"blind-attacks", shops + "patang.csv"},
	{"blind-answers-22", shops + "silai.csv"}, {"blind-attacks-2", shops + "silai.csv"},
	{"blind-trophy", shops + "trophy.csv"},
	{"blind-attacks-3", shops + "photo.csv"},
	{"blind-answers-23", shops + "kanta.csv"}, {"blind-attacks-4", shops + "kanta.csv"},
	{"blind-baans", shops + "baans.csv"},
	{"blind-answers-24", shops + "dhobi.csv"}, {"blind-attacks-5", shops + "dhobi.csv"},
	{"blind-answers-25", shops + "erick.csv"}, {"blind-attacks-6", shops + "erick.csv"},
	{"blind-shahad", shops + "shahad.csv"},
	{"blind-camp", shops + "camp.csv"}, {"blind-sargam", shops + "sargam.csv"},
}

const shops = "../../shared/commerce/nlu/testdata/"

// The golden file lists the conversations that go wrong. It should only get shorter.
func TestConversationsEndAsCustomersMean(t *testing.T) {
	clientOf = dynamotest.Client
	var missed strings.Builder
	for _, c := range catalogues {
		var out bytes.Buffer
		if err := Run(t.Context(),
			[]string{"-catalogue", c.catalogue, "-file", filepath.Join("testdata", c.file+".jsonl")},
			&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		for _, line := range lines {
			if strings.HasSuffix(line, "MISSED") {
				missed.WriteString(c.file + " " + line + "\n")
			}
		}
		t.Log(c.file, lines[len(lines)-1])
	}
	golden.Compare(t, "testdata/missed.golden", missed.String())
}

func TestAnAnswersLanguageIsTold(t *testing.T) {
	for words, want := range map[string]string{
		"Your order: 2 kg Rajma": "en", "Aapka order: 2 kilo Rajma. Order kar doon?": "hi-Latn", "आपका ऑर्डर": "hi",
		"Total ka": "en",
	} {
		if got := languageOf(words); got != want {
			t.Errorf("%q is in %s, want %s", words, got, want)
		}
	}
}

func TestATotalIsShownAsANumberOfItsOwn(t *testing.T) {
	for text, want := range map[string]bool{"Total ₹300.": true, "Total ₹300.00": true, "₹1300": false, "30": false} {
		if got := shows(text, rupees("300")); got != want {
			t.Errorf("%q shows 300: %t", text, got)
		}
	}
}

func rupees(text string) model.Amount {
	return model.Amount{Decimal: decimal.RequireFromString(text)}
}
