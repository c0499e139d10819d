package search

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/problem"
)

// What people type finds what was written, in whichever script and spelling.
func TestAQueryFindsWordsInAnyScriptAndSpelling(t *testing.T) {
	for _, c := range []struct {
		query, text string
		found       bool
	}{
		{"cheeni", "2 kilo चीनी bhej do", true},
		{"चीनी", "Chini hai kya?", true},
		{"chawal", "चावल", true},
		{"namkeen", "नमकीन", true},
		{"ande", "12 andon ka rate", true},
		{"Andheri", "ande", false},
		{"basm", "BASMATI rice", true}, // the beginning of a word
		{"mati", "basmati", false},     // not its end
		{"rice basmati", "basmati wala rice", true},
		{"rice dal", "basmati rice", false},
		{"अरिसी", "arisi", true},
		{"அரிசி", "2 கிலோ அரிசி வேண்டும்", true},
		{"அரி", "அரிசி", true},
		{"கிலோ", "கிலே", false},
		{"మామిడి", "పండిన మామిడి", true},
		{"ভাত", "ভাত আছে?", true},
		{"café", "Cafe on MG Road", true},
		{"jose", "José", true},
		{"ПРИВЕТ", "привет, мир", true},
		{"مرحبا", "مرحبا بك", true},
		{"米", "买米饭", true},
		{"米饭", "买米饭", true},
		{"dont", "I don't know", true},
		{"don’t", "dont", true},
		{"क़लम", "\u0915\u093c\u0932\u092e", true}, // one letter, or two
		{"१२", "12 kg", true},
		{"12", "१२ किलो", true},
		{"98765 43210", "mera number 9876543210 hai", true},
		{"098765-43210", "+919876543210", true},
		{"+91 98765 43210", "919876543210", true},
		{"0091 98765 43210", "919876543210", true},
		{"3210", "919876543210", true},
		{"3211", "919876543210", false},
		{"५४३२१०", "919876543210", true},
		{"+91", "919876543210", true}, // the beginning
		{"🙂 rice", "rice", true},
		{"", "rice", false},
	} {
		q, err := Parse(c.query)
		if (err != nil) != (c.query == "") {
			t.Errorf("%q: %v", c.query, err)
		}
		if got := q.in(lineOf(c.text)); got != c.found {
			t.Errorf("%q in %q: %v, %q", c.query, c.text, got, lineOf(c.text))
		}
	}
}

func TestAQueryHasOneToTenWords(t *testing.T) {
	for _, text := range []string{"", "  ", "?!", "🙂", strings.Repeat("a b c ", 1) + "d e f g h i j k"} {
		var is *problem.Error
		if _, err := Parse(text); !errors.As(err, &is) || is.Class != problem.Invalid || is.Field != Field {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse("one two three four five six seven eight nine ten one TWO"); err != nil {
		t.Error(err) // a word that is repeated counts once
	}
}

func TestASnippetShowsWhatWasFound(t *testing.T) {
	long := strings.Repeat("शब्द ", 100)
	for _, c := range []struct {
		query string
		texts []string
		want  []Piece
	}{
		{"cheeni", []string{"2 kg चीनी, please"}, []Piece{{"2 kg ", false}, {"चीनी", true}, {", please", false}}},
		{"b", []string{"a", "b c"}, []Piece{{"b", true}, {" c", false}}},
		{"x", []string{"", "a c"}, []Piece{{"a c", false}}},
		{"43210 98765", []string{"98765 43210"}, []Piece{{"98765", true}, {" ", false}, {"43210", true}}},
	} {
		q, err := Parse(c.query)
		if got := q.Snippet(c.texts...); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %q: %+v, %v", c.query, c.texts, got, err)
		}
	}
	q, _ := Parse("cheeni")
	text, found, whole := "", false, long+"चीनी "+long
	for _, piece := range q.Snippet(whole) {
		text, found = text+piece.Text, found || piece.Found
	}
	if n := utf8.RuneCountInString(text); !found || n > snippet+2 || !utf8.ValidString(text) ||
		!strings.Contains(whole, strings.Trim(text, "…")) {
		t.Errorf("%d: %q", n, text)
	}
}

// FuzzParse has a text find itself, and nothing that is typed do harm.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"cheeni", "चीनी 2 kg", "+91 98765-43210",
		"don't", "\xff\xfe", "İstanbul", "ﬁ", "ऩ", "़", "a\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := lineOf(text)
		if line != "" && (line[0] != ' ' || line[len(line)-1] != ' ' || len(line) > maxWords+1) {
			t.Fatalf("%q", line)
		}
		q, err := Parse(text)
		q.Snippet(text)
		if err == nil && len(line) < maxWords/2 && !q.in(line) {
			t.Errorf("%q does not find itself in %q", text, line)
		}
	})
}
