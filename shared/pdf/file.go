package pdf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-text/typesetting/font"
)

// file is a PDF file: a list of numbered objects, and where each begins.
type file struct {
	bytes.Buffer
	begins []int
}

// object adds an object and returns its number.
func (f *file) object(content string) int {
	f.begins = append(f.begins, f.Len())
	fmt.Fprintf(f, "%d 0 obj\n%s\nendobj\n", len(f.begins), content)
	return len(f.begins)
}

// stream adds an object that is a compressed stream.
func (f *file) stream(dictionary string, compressed []byte) int {
	f.begins = append(f.begins, f.Len())
	fmt.Fprintf(f, "%d 0 obj\n<<%s/Filter/FlateDecode/Length %d>>stream\n", len(f.begins), dictionary, len(compressed))
	f.Write(compressed)
	f.WriteString("\nendstream\nendobj\n")
	return len(f.begins)
}

// Bytes ends the document and returns its file. The same document makes the same bytes.
func (d *Document) Bytes() []byte {
	d.endPage()
	var f file
	f.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	var fonts strings.Builder
	for i, face := range d.faces {
		if len(d.used[i]) > 0 {
			fmt.Fprintf(&fonts, "/F%d %d 0 R", i, f.font(face, d.used[i]))
		}
	}
	tree := len(f.begins) + 2*len(d.pages) + 1
	var pages strings.Builder
	for _, page := range d.pages {
		content := f.stream("", page)
		fmt.Fprintf(&pages, "%d 0 R ",
			f.object(fmt.Sprintf("<</Type/Page/Parent %d 0 R/Contents %d 0 R>>", tree, content)))
	}
	f.object(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 %s %s]/Resources<</Font<<%s>>>>>>",
		len(d.pages), pages.String(), number(d.width), number(d.height), fonts.String()))
	root := f.object(
		fmt.Sprintf("<</Type/Catalog/Pages %d 0 R/Lang(%s)/ViewerPreferences<</DisplayDocTitle true>>>>", tree,
			d.language))
	info := f.object(fmt.Sprintf("<</Title %s>>", utf16Text(clean(d.title))))
	begins := f.Len()
	fmt.Fprintf(&f, "xref\n0 %d\n0000000000 65535 f \n", len(f.begins)+1)
	for _, at := range f.begins {
		fmt.Fprintf(&f, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&f, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.begins)+1, root,
		info, begins)
	return f.Buffer.Bytes()
}

// font adds a font with the glyphs in use, and returns its number.
func (f *file) font(face *shaper, used map[font.GID]glyph) int {
	const letters = 6 // a subset's name begins with so many
	name := strings.Repeat("H", letters) + "+" + face.name
	whole := face.subset(used)
	content := f.stream(fmt.Sprintf("/Length1 %d", len(whole)), deflate(whole))
	extents, _ := face.face.FontHExtents()
	descriptor := f.object(
		fmt.Sprintf(
			"<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[-1000 -500 2000 1200]/ItalicAngle 0/Ascent "+
				"%s/Descent %s/CapHeight 714/StemV 80/FontFile2 %d 0 R>>",
			name, number(float64(extents.Ascender)), number(float64(extents.Descender)), content))
	var widths strings.Builder
	for _, gid := range gids(used) {
		fmt.Fprintf(&widths, "%d[%s]", gid, number(used[gid].natural))
	}
	descendant := f.object(
		fmt.Sprintf(
			"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s"+
				"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"+
				"/FontDescriptor %d 0 R/W[%s]/CIDToGIDMap/Identity>>",
			name, descriptor, widths.String()))
	unicode := f.stream("", deflate(toUnicode(used)))
	return f.object(
		fmt.Sprintf(
			"<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>",
			name, descendant, unicode))
}

// toUnicode returns what glyphs stand for, for readers that know of no other text.
func toUnicode(used map[font.GID]glyph) []byte {
	const most = 100 // of one list
	var known []font.GID
	for _, gid := range gids(used) {
		if len(used[gid].text) > 0 {
			known = append(known, gid)
		}
	}
	var out bytes.Buffer
	out.WriteString(
		"/CIDInit /ProcSet findresource begin 12 dict begin " +
			"begincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n" +
			"/CMapName/Adobe-Identity-UCS def /CMapType 2 def\n1 " +
			"begincodespacerange\n<0000><FFFF>\nendcodespacerange\n")
	for len(known) > 0 {
		list := known[:min(most, len(known))]
		known = known[len(list):]
		fmt.Fprintf(&out, "%d beginbfchar\n", len(list))
		for _, gid := range list {
			fmt.Fprintf(&out, "<%04X><%s>\n", gid, utf16Hex(used[gid].text))
		}
		out.WriteString("endbfchar\n")
	}
	out.WriteString("endcmap CMapName currentdict /CMap defineresource pop end end\n")
	return out.Bytes()
}
