package assistant

import (
	"bytes"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/golden"
)

// The golden file lists the questions that are not answered right. It should only get shorter, and the number of wrong
// answers in its last lines never longer.
func TestListsAreFoundByWhatPeopleWrite(t *testing.T) {
	var missed strings.Builder
	for _, company := range []string{"broadband", "insurance", "recruiting", "clinic", "coaching", "travels", "repair",
		"clothing", "gas", "salon", "courier",
		"hotel", "gym", "driving", "lab", "loan", "society", "grocery", "institute", "phone",
		"solar", "hostel", "laundry", "bakery", "vet", "pharmacy", "garage", "restaurant", "school", "banquet", "visa",
		"packers", "optician", "cowork", "tiffin", "rental", "homecare", "selfdrive", "pest", "boutique",
		"dairy", "photographer", "swimming", "electronics", "lifecover"} {
		var out bytes.Buffer
		err := Run(t.Context(),
			[]string{"-faq", "testdata/" + company + ".csv", "-file", "testdata/" + company + ".jsonl"}, &out)
		if err != nil {
			t.Fatal(err)
		}
		missed.WriteString(company + "\n" + out.String())
	}
	golden.Compare(t, "testdata/missed.golden", missed.String())
}

func TestAMissingFileIsNamed(t *testing.T) {
	for _, args := range [][]string{{}, {"-faq", "testdata/none.csv"}, {"-faq", "testdata/clinic.csv"}} {
		if err := Run(t.Context(), args, new(bytes.Buffer)); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
