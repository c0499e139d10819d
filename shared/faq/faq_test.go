package faq

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var shop = []Entry{
	{"refund", "How long does a refund take?", "Seven days.", "en"},
	{"refund", "रिफंड कितने दिन में आता है?", "सात दिन।", "hi"},
	{"hours", "When are you open?\nWhat are your timings?", "From 9 to 6.", "en"},
	{"cancel", "How do I cancel my order?", "Write cancel.", "en"},
}

func open(t testing.TB, entries []Entry) *Index {
	t.Helper()
	x, err := New(entries)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestAnEntryIsFoundInEitherLanguageAndScript(t *testing.T) {
	x := open(t, shop)
	for message, want := range map[string]string{
		"refund kab aayega": "refund", "रिफंड कब मिलेगा": "refund", "when will i get my refund": "refund",
		"cancell my ordar":       "cancel",
		"order cancel karna hai": "cancel", "Your timings?": "hours", "shop kab khulta hai": "hours",
		"शॉप की टाइमिंग": "hours", "ऑर्डर कैंसल कर दो": "cancel", "rifand kab aayega": "refund",
	} {
		if found, _ := x.Find(message, "en"); !found.Sure || found.ID != want {
			t.Errorf("%q: %q at %.2f, sure: %t; want %q", message, found.ID, found.Score, found.Sure, want)
		}
	}
	if found, _ := x.Find("refund?", "hi"); found.Answer != "सात दिन।" {
		t.Errorf("in Hindi: %q", found.Answer)
	}
	if found, _ := x.Find("refund?", "ta"); found.Answer != "Seven days." {
		t.Errorf("in a language that the list lacks: %q", found.Answer)
	}
}

func TestNothingIsSaidWithoutBeingSure(t *testing.T) {
	x := open(t, shop)
	for _, message := range []string{"", "hello", "??", "who won the match", "मौसम कैसा है", "refund or cancel"} {
		if found, any := x.Find(message, "en"); any && found.Sure {
			t.Errorf("%q: %q at %.2f", message, found.ID, found.Score)
		}
	}
	if _, any := open(t, nil).Find("refund", "en"); any {
		t.Error("an empty list has an answer")
	}
	if _, any := new(Index).Find("refund", "en"); any {
		t.Error("no list has an answer")
	}
}

// A word of another trade makes an answer unsure that has all other words.
func TestWhatAnotherTradeSellsIsNotAnswered(t *testing.T) {
	x := open(t, shop)
	for _, message := range []string{"how long does a flight take", "पिज़्ज़ा कैंसल करना है", "when are trains open"} {
		if found, any := x.Find(message, "en"); any && found.Sure {
			t.Errorf("%q: %q at %.2f", message, found.ID, found.Score)
		}
	}
}

// Somebody who tells what has happened asks for the entry that says what to do, even if it shares no word with them.
func TestASituationIsFoundByHowPeopleTellIt(t *testing.T) {
	x := open(t, []Entry{
		{"late", "What if the technician does not come?", "Call us.", "en"},
		{"price", "What does a visit cost?", "Rs 200.", "en"},
		{"pause", "How do I pause my plan?", "Write PAUSE.", "en"},
		{"lost", "I lost my card", "We make another one.", "en"},
	})
	for message, want := range map[string]string{
		"waited the whole day and nobody turned up": "late", "subah se intezaar kar raha hu koi nahi aaya": "late",
		"बाहर जा रहे हैं, कुछ दिन बंद रखना": "pause", "मेरा कार्ड खो गया": "lost",
	} {
		if found, _ := x.Find(message, "en"); found.ID != want {
			t.Errorf("%q: %q at %.2f, want %q", message, found.ID, found.Score, want)
		}
	}
}

// One of two words that stand for something together is found as well.
func TestAPairOfWordsIsItsWordsToo(t *testing.T) {
	x := open(t, []Entry{
		{"deposit", "How much deposit do you take?", "One month.", "en"},
		{"hours", "When are you open?", "From 9 to 6.", "en"},
		{"guard", "Are there guards?", "Two.", "en"},
	})
	if found, _ := x.Find("security deposit kitna hai", "en"); found.ID != "deposit" {
		t.Errorf("%q at %.2f", found.ID, found.Score)
	}
}

func TestKinAreIdeas(t *testing.T) {
	for _, word := range strings.Fields(kinRows + matterRows) {
		if len(known.Get().ideas[keyOf(word)]) == 0 && len(known.Get().exact[english(word)]) == 0 {
			t.Errorf("%s is no word for an idea", word)
		}
	}
}

func TestASearchListsTheLikeliestFirst(t *testing.T) {
	found := open(t, shop).Search("refund of a cancelled order", "en", 2)
	if len(found) != 2 || found[0].Score < found[1].Score || found[1].Sure {
		t.Errorf("%+v", found)
	}
	if found := open(t, shop).Search("??", "en", 2); len(found) > 0 {
		t.Errorf("nothing is asked: %+v", found)
	}
}

// The index finds an entry in whatever words and script a customer asks.
func Example() {
	index, err := New([]Entry{
		{"refund", "How long does a refund take?", "Seven days.", "en"},
		{"refund", "रिफंड कितने दिन में आता है?", "सात दिन।", "hi"},
		{"hours", "When are you open?", "From 9 to 6.", "en"},
	})
	found, _ := index.Find("paisa wapas kab aayega", "hi")
	fmt.Println(found.ID, found.Sure, found.Answer, err)
	// Output: refund true सात दिन। <nil>
}

func TestAListSaysWhatIsWrongWithIt(t *testing.T) {
	for name, entries := range map[string][]Entry{
		"no id":        {{"", "Q?", "A.", "en"}},
		"no question":  {{"a", " ", "A.", "en"}},
		"no answer":    {{"a", "Q?", "", "en"}},
		"a long id":    {{strings.Repeat("x", MaxID+1), "Q?", "A.", "en"}},
		"a line break": {{"a\nb", "Q?", "A.", "en"}},
		"twice":        {{"a", "Q?", "A.", "en"}, {"a", "R?", "B.", "en"}},
		"not UTF-8":    {{"a", "\xff", "A.", "en"}},
		"too many":     make([]Entry, MaxEntries+1),
	} {
		if _, err := New(entries); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string]string{
		"no column":   "id,question\na,b\n",
		"a short row": "id,question,answer\na,b\n",
		"a quote":     "id,question,answer\na,\"b,c\n",
		"empty":       "",
		"no entries":  "id,question,answer\n",
	} {
		if _, err := Read(strings.NewReader(file)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryWrongLineIsNamed(t *testing.T) {
	_, err := Read(strings.NewReader("id,question,answer,language\n" +
		"a,Q?,A.,en\nb,\"Q?\nR?\",,en\na,Q?,A.,hi\na,S?,B.,en\n,Q?,A.,en\n"))
	want := "line 3: answer: 1 to 2000 characters; line 6: the id and the language are those of line 2; " +
		"line 7: id: 1 to 64 characters"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("have %v\nwant %s", err, want)
	}
	many := "id,question,answer\n" + strings.Repeat(",Q?,A.\n", 30)
	if _, err := Read(strings.NewReader(many)); err == nil || !strings.HasSuffix(err.Error(), "and 10 more") {
		t.Errorf("many: %v", err)
	}
}

func TestAListIsReadAsItWasWritten(t *testing.T) {
	var file bytes.Buffer
	shop := append(slices.Clone(shop), Entry{ID: "=1+1", Question: "@SUM(A1)", Answer: "-5 %, '+1", Language: "en"})
	if err := Write(&file, shop); err != nil {
		t.Fatal(err)
	}
	if text := file.String(); !strings.Contains(text, "'=1+1,'@SUM(A1),") || !strings.Contains(text, "'-5 %") {
		t.Errorf("a cell is a formula: %s", text)
	}
	read, err := Read(bytes.NewReader(append([]byte("\ufeff"), file.Bytes()...)))
	if diff := cmp.Diff(shop, read); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"refund kab", "रिफंड", "a\x00\xff", strings.Repeat("cancel ", 400), "kya hua kya"} {
		f.Add(text)
	}
	x := open(f, shop)
	f.Fuzz(func(t *testing.T, text string) {
		if found, any := x.Find(text, "en"); any && (found.ID == "" || found.Score <= 0 || found.Score > 1.0001) {
			t.Errorf("%q: %+v", text, found)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("id,question,answer,language\na,b,c,en\n")
	f.Add("answer,id,question\n,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if _, err := New(entries); err != nil {
			t.Errorf("what was read cannot be used: %v", err)
		}
	})
}

// longest is the longest list that there may be.
func longest() []Entry {
	var entries []Entry
	for i := range MaxEntries {
		entries = append(entries, Entry{fmt.Sprint("e", i), fmt.Sprintf("How do I return article w%dx of kind k%d?", i,
			i%50), "By post.", "en"})
	}
	return entries
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(longest()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	x := open(b, longest())
	for b.Loop() {
		x.Find("how can i retrun the article of kind k7", "en")
	}
}

// A row that names what no word stands for would say nothing.
func TestFieldsHaveIdeas(t *testing.T) {
	ideas := map[string]bool{}
	for _, all := range known.Get().ideas {
		for _, idea := range all {
			ideas[idea] = true
		}
	}
	for idea := range fields.Get().of {
		if !ideas[idea] {
			t.Errorf("%s is no idea", idea)
		}
	}
}

func TestAWordForTheVerySameThingIsMoreThanOneOfItsKind(t *testing.T) {
	x := open(t, []Entry{
		{"rats", "Do you catch rats?", "With traps.", "en"},
		{"mosquitoes", "Do you spray against mosquitoes?", "Yes.", "en"},
		{"price", "What does it cost?", "Rs 900.", "en"},
	})
	for message, want := range map[string]string{
		"chuhe bahut ho gaye": "rats", "मच्छर काटते हैं": "mosquitoes", "machhar hain ghar me": "mosquitoes",
		"घर में चूहा है": "rats",
	} {
		if found, _ := x.Find(message, "en"); found.ID != want {
			t.Errorf("%q: %q at %.2f, want %q", message, found.ID, found.Score, want)
		}
	}
}

// A thing that a list speaks of in general is found by its field, without a word that both have.
func TestAThingIsFoundByItsField(t *testing.T) {
	x := open(t, []Entry{
		{"damage", "What if an item breaks?", "You pay for the repair.", "en"},
		{"area", "In which localities do you work?", "In Pune.", "en"},
		{"documents", "Which papers are needed?", "An identity card.", "en"},
	})
	for message, want := range map[string]string{"a leg of the sofa cracked": "damage", "nagpur?": "area"} {
		if found, _ := x.Find(message, "en"); found.ID != want {
			t.Errorf("%q: %q at %.2f, want %q", message, found.ID, found.Score, want)
		}
	}
}
