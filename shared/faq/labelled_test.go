package faq

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lists is where the labelled lists are, and tradeTexts where the texts are that teach what words mean. Lists that are
// held back teach nothing and choose no weights, ever.
const (
	lists      = "../../infra/assistant/testdata"
	tradeTexts = "testdata/trades"
)

var heldBack = []string{"cowork", "tiffin", "dairy", "photographer", "swimming", "electronics", "lifecover"}

// labelled is a company's list with questions that people ask. The entry of a question is "" if none answers it.
type labelled struct {
	name      string
	entries   []Entry
	questions []labelledQuestion
	trade     bool // it is there to teach
	words     bool // it is no company's list: its entries are words
}

type labelledQuestion struct{ Text, Entry string }

// labelledLists returns the companies of the assistant's measurements.
func labelledLists(t *testing.T) (all []labelled) {
	t.Helper()
	files, err := filepath.Glob(lists + "/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatal("no lists", err)
	}
	for _, file := range files {
		c := labelled{name: strings.TrimSuffix(filepath.Base(file), ".csv")}
		if c.entries, err = Read(bytes.NewReader(contents(t, file))); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(contents(t, strings.TrimSuffix(file, ".csv")+".jsonl")) {
			var q labelledQuestion
			if err := json.Unmarshal(line, &q); err != nil {
				t.Fatal(err)
			}
			c.questions = append(c.questions, q)
		}
		all = append(all, c)
	}
	return all
}

// tradeLists returns the lists that teach what words mean. A line that begins with # names a list. One that begins with
// - has questions that no entry answers. Every other is an entry: the question, after = its answer, and after each |
// another way to ask for it.
func tradeLists(t *testing.T) (all []labelled) {
	t.Helper()
	files, err := filepath.Glob(tradeTexts + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no trades", err)
	}
	for _, file := range files {
		for line := range strings.Lines(string(contents(t, file))) {
			line = strings.TrimSpace(line)
			if name, is := strings.CutPrefix(line, "#"); is {
				name = strings.TrimSpace(name)
				all = append(all, labelled{name: name, trade: true, words: strings.Contains(name, "words")})
			} else if line != "" {
				all[len(all)-1].learn(line)
			}
		}
	}
	return append(all, situationLists()...)
}

// perLesson is how many situations are told from each other at a time.
const perLesson = 40

// situationLists returns the situations as lists: each is an entry, and the texts that tell of it ask for it.
func situationLists() (all []labelled) {
	texts, names := map[string][]string{}, []string{}
	for row := range strings.Lines(usualSituations + toldSituations + everydaySituations) {
		if name, told, is := strings.Cut(row, ":"); is {
			if len(texts[name]) == 0 {
				names = append(names, name)
			}
			texts[name] = append(texts[name], strings.Split(strings.TrimSpace(told), ";")...)
		}
	}
	rand.New(rand.NewSource(1)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for some := range slices.Chunk(names, perLesson) {
		c := labelled{name: "situations", trade: true, words: true}
		for _, name := range some {
			c.learn(strings.ReplaceAll(name, "-", " ") + "|" + strings.Join(texts[name], "|"))
		}
		all = append(all, c)
	}
	return all
}

// learn adds a line of a trade's list.
func (c *labelled) learn(line string) {
	if none, is := strings.CutPrefix(line, "-"); is {
		for q := range strings.SplitSeq(none, "|") {
			c.questions = append(c.questions, labelledQuestion{Text: strings.TrimSpace(q)})
		}
		return
	}
	ways := strings.Split(line, "|")
	question, answer, _ := strings.Cut(ways[0], "=")
	id := fmt.Sprint(len(c.entries) + 1)
	c.entries = append(c.entries,
		Entry{ID: id, Question: strings.TrimSpace(question), Answer: strings.TrimSpace(answer)})
	for _, q := range ways[1:] {
		c.questions = append(c.questions, labelledQuestion{strings.TrimSpace(q), id})
	}
}

func contents(t *testing.T, file string) []byte {
	t.Helper()
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func isHeldBack(c labelled) bool { return slices.Contains(heldBack, c.name) }
