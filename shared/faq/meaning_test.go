package faq

import "testing"

// The table is read in full, and texts that mean the same are nearer than others, across scripts and languages.
func TestTextsThatMeanTheSameAreNear(t *testing.T) {
	m := learnedMeanings.Get()
	if len(m.rows) != meaningRows*meaningSize {
		t.Fatalf("%d numbers, want %d", len(m.rows), meaningRows*meaningSize)
	}
	of := func(text string) *vector {
		v, _ := m.of(read(text))
		return &v
	}
	for _, c := range []struct{ text, same, other string }{
		{"kitne paise lagenge", "What does it cost?", "Where are you?"},
		{"कब खुलता है", "What are your hours?", "Is there parking?"},
		{"my parcel is torn and wet", "The goods came damaged", "Can I change the address?"},
	} {
		text := of(c.text)
		if same, other := text.dot(of(c.same)), text.dot(of(c.other)); same <= other {
			t.Errorf("%q: %q at %.2f, %q at %.2f", c.text, c.same, same, c.other, other)
		}
	}
}

func TestATextWithoutWordsMeansNothing(t *testing.T) {
	if v, words := learnedMeanings.Get().of(read("?? 😀")); v.length() != 0 || len(words) != 0 {
		t.Errorf("length %.2f, %d words", v.length(), len(words))
	}
}

// Each trade's list can be opened, and each of its lines has other ways to ask.
func TestTheTradesAreLists(t *testing.T) {
	for _, c := range tradeLists(t) {
		if len(c.entries) < 2 || len(c.questions) < len(c.entries) {
			t.Errorf("%s: %d entries, %d questions", c.name, len(c.entries), len(c.questions))
		}
		if c.words {
			continue
		}
		if _, err := New(c.entries); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
