package search

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"reflect"
	"testing"
)

// wholeEntries returns entries as segments of before there were such in parts held them.
func wholeEntries(entries []entry) (raw []byte) {
	for _, e := range entries {
		raw = binary.AppendVarint(append(raw, byte(e.kind)), e.at)
		raw = appendText(appendText(appendText(raw, e.id), e.customer), e.line)
	}
	return raw
}

func unpackAll(packed []byte) ([]entry, error) {
	held, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	return held.entries()
}

func TestASegmentHoldsEntriesAsTheyAre(t *testing.T) {
	entries := []entry{
		{ofMessage, "wamid.A==", "919876543210", 1780000000000, " rice ris "},
		{ofNote, "n\n1", "IN.7", -5, " a "}, {ofPerson, "", "919876543210", 0, ""}}
	packed, err := pack(entries)
	if err != nil {
		t.Fatal(err)
	}
	former, err := deflated(wholeEntries(entries))
	if err != nil {
		t.Fatal(err)
	}
	for name, packed := range map[string][]byte{"in parts": packed, "of before that": former} {
		if got, err := unpackAll(packed); err != nil || !reflect.DeepEqual(got, entries) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		held, err := unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := Parse("rice")
		if found, err := held.find(q); err != nil || !reflect.DeepEqual(found, entries[:1]) {
			t.Errorf("%s: found %+v, %v", name, found, err)
		}
	}
	if none, err := unpackAll(nil); len(none) > 0 || err == nil {
		t.Errorf("nothing is %+v, %v", none, err)
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
	// One that says that it is small, and is not; and one that says that it is large.
	for _, says := range []uint64{10, 4 * maxUnpacked} {
		inParts := binary.AppendUvarint(binary.AppendUvarint([]byte{inParts}, says), uint64(bomb.Len()))
		inParts = append(append(inParts, bomb.Bytes()...), 0, 0)
		if _, err := unpack(inParts); err == nil {
			t.Errorf("one that says that it has %d bytes is read", says)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	whole, _ := pack([]entry{{ofMessage, "wamid.A==", "919876543210", 1780000000000, " rice ris "}})
	f.Add(whole)
	f.Add([]byte{})
	former, _ := deflated(wholeEntries([]entry{{ofNote, "1", "2", 3, " rice "}}))
	f.Add(former)
	f.Fuzz(func(t *testing.T, segment []byte) {
		entries, err := unpackAll(segment)
		if err != nil {
			return
		}
		q, _ := Parse("rice 9876")
		for _, e := range entries {
			if q.in(e.line) && !q.mayBeIn("x"+e.line) {
				t.Errorf("%q is in %q, and may not be", "rice 9876", e.line)
			}
		}
		again, err := pack(entries)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpackAll(again); err != nil || len(got)+len(entries) > 0 && !reflect.DeepEqual(got, entries) {
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
