package search

import (
	"bytes"
	"compress/flate"
	"reflect"
	"testing"
)

func TestASegmentHoldsEntriesAsTheyAre(t *testing.T) {
	entries := []entry{
		{ofMessage, "wamid.A==", "919876543210", 1780000000000, " rice ris "},
		{ofNote, "n\n1", "IN.7", -5, " a "}, {ofPerson, "", "919876543210", 0, ""}}
	segment, err := pack(entries)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := unpack(segment); err != nil || !reflect.DeepEqual(got, entries) {
		t.Errorf("%+v, %v", got, err)
	}
	refs := []ref{{1, false, 7, 1780000000000, 73_000}, {22, true, 1, 0, 4}}
	if got, err := readRefs(writeRefs(refs)); err != nil || !reflect.DeepEqual(got, refs) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A segment that unpacks to more than one holds is refused before it fills the memory.
func TestASegmentIsBounded(t *testing.T) {
	var bomb bytes.Buffer
	w, _ := flate.NewWriter(&bomb, flate.BestCompression)
	_, _ = w.Write(make([]byte, 4*maxUnpacked))
	_ = w.Close()
	if _, err := unpack(bomb.Bytes()); err == nil {
		t.Error("it is read")
	}
}

func FuzzUnpack(f *testing.F) {
	whole, _ := pack([]entry{{ofMessage, "wamid.A==", "919876543210", 1780000000000, " rice ris "}})
	f.Add(whole)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, segment []byte) {
		entries, err := unpack(segment)
		if err != nil {
			return
		}
		q, _ := Parse("rice 9876")
		for _, e := range entries {
			q.in(e.line)
		}
		again, err := pack(entries)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpack(again); err != nil || !reflect.DeepEqual(got, entries) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func FuzzReadRefs(f *testing.F) {
	f.Add("1 m 7 mqh 1k\n2 l 0 0 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		refs, err := readRefs(text)
		if err != nil {
			return
		}
		if got, err := readRefs(writeRefs(refs)); err != nil || !reflect.DeepEqual(got, refs) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
