package pdf

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	reader "github.com/ledongthuc/pdf"
)

var plain = Style{Size: 10}

func newDocument(t *testing.T) *Document {
	t.Helper()
	d, err := New("Title", "hi", 300, 400)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Conjuncts are one glyph, the sign of the short i stands before its consonant, and what the font lacks is a box that
// takes room.
func TestTextsAreShaped(t *testing.T) {
	d := newDocument(t)
	face, _ := d.face(plain)
	of := func(r rune) font.GID {
		gid, _ := face.face.NominalGlyph(r)
		return gid
	}
	if got := face.shape("क्ष"); len(got) != 1 || string(got[0].text) != "क्ष" {
		t.Errorf("a conjunct of %d glyphs", len(got))
	}
	if got := face.shape("कि"); len(got) != 2 || got[1].gid != of('क') || got[0].gid == of('क') {
		t.Errorf("the short i does not stand before its consonant: %+v", got)
	}
	if got := face.shape("₹1"); len(got) != 2 || got[0].gid == 0 || got[0].gid != of('₹') {
		t.Errorf("the rupee is %+v", got)
	}
	for _, text := range []string{"😀", "ராஜா", "مرحبا", "\U0010FFFF"} {
		got := face.shape(text)
		if !slices.ContainsFunc(got, func(g glyph) bool { return g.gid == 0 && g.advance > 0 }) {
			t.Errorf("no box for %q: %+v", text, got)
		}
	}
	if d.Width("अ\x00\n\tअ", plain) != d.Width("अ अ", plain) || clean("a\xff") != "a�" {
		t.Error("control characters are drawn")
	}
}

func TestALineNeverGetsWiderThanItsRoom(t *testing.T) {
	d := newDocument(t)
	const room = 100
	for _, text := range []string{
		strings.Repeat("क्षत्रिय", 20), strings.Repeat("W", 120), strings.Repeat("a b ", 60),
		"😀" + strings.Repeat("😀", 99), strings.Repeat("कि ", 50) + strings.Repeat("x", 50), "",
	} {
		lines := d.Wrap(text, plain, room, 100)
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q became %q", text, lines)
		}
		cut := d.Wrap(text, plain, room, 2)
		if len(lines) > 2 && (len(cut) != 2 || !strings.HasSuffix(cut[1], "…")) {
			t.Errorf("cut to %q", cut)
		}
		for _, line := range append(lines, cut...) {
			if wide := d.Width(line, plain); wide > room {
				t.Errorf("%q is %.1f wide", line, wide)
			}
		}
	}
}

// Another program reads the file: its pages, its texts, and the fonts in it.
func TestTheFileCanBeRead(t *testing.T) {
	d := newDocument(t)
	texts := []string{"Owed ₹1,23,456.50 (now) \\", "<script>alert(1)</script>"}
	for i, text := range texts {
		d.Page()
		d.Text(20, 40, text, Style{Size: 12, Bold: i == 1})
		d.Rule(20, 50, 100, 0.5)
	}
	content := d.Bytes()
	if !bytes.Equal(content, d.Bytes()) {
		t.Error("the same document makes other bytes")
	}
	file, err := reader.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if file.NumPage() != len(texts) || file.Trailer().Key("Info").Key("Title").Text() != "Title" {
		t.Errorf("%d pages, called %s", file.NumPage(), file.Trailer().Key("Info").Key("Title").Text())
	}
	for i, text := range texts {
		page := file.Page(i + 1)
		var got strings.Builder
		for _, piece := range page.Content().Text {
			got.WriteString(piece.S)
		}
		// the reader ends each text with a line end, which the font lacks
		if said := strings.TrimSuffix(got.String(), "\uFFFD"); said != text {
			t.Errorf("page %d says %q, not %q", i+1, said, text)
		}
		name := []string{"F0", "F1"}[i]
		program := page.Font(name).V.Key("DescendantFonts").Index(0).Key("FontDescriptor").Key("FontFile2").Reader()
		whole, err := io.ReadAll(program)
		if err != nil || len(whole) > 40_000 {
			t.Errorf("a font of %d bytes, %v", len(whole), err)
		}
		checkFont(t, d.faces[i], whole, texts[i])
	}
}

// checkFont compares the glyphs of a subset with those of the whole font.
func checkFont(t *testing.T, of *shaper, file []byte, text string) {
	t.Helper()
	loader, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	small := &typeface{tables: map[string][]byte{}}
	for _, tag := range kept {
		if small.tables[tag], err = loader.RawTable(opentype.MustNewTag(tag)); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range of.shape(text) {
		want, got := of.outline(g.gid), small.outline(g.gid)
		if !bytes.Equal(bytes.TrimRight(want, "\x00"), bytes.TrimRight(got, "\x00")) {
			t.Errorf("glyph %d has another outline", g.gid)
		}
	}
	if unused, _ := of.face.NominalGlyph('Q'); len(small.outline(unused)) != 0 {
		t.Error("a glyph that is not used is in the file")
	}
}
