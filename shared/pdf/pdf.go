// Package pdf writes PDF files of text: Latin and Devanagari letters in one typeface, shaped as their scripts need it,
// of which a file holds the glyphs that it uses. A text can be searched, copied and read out, because each line says
// what it means.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
)

// Style is how a text looks.
type Style struct {
	Bold bool
	Size float64 // in points
	Gray float64 // from 0, black, to 1, white
}

// Document is a PDF file that is being written. It may be used by one goroutine at a time.
type Document struct {
	title, language string
	width, height   float64
	faces           [2]*shaper
	used            [2]map[font.GID]glyph
	pages           [][]byte // compressed
	page            *bytes.Buffer
}

// New returns an empty document with pages of a size in points.
func New(title, language string, width, height float64) (*Document, error) {
	d := &Document{title: title, language: language, width: width, height: height}
	for i, read := range []func() (*typeface, error){regular, bold} {
		face, err := read()
		if err != nil {
			return nil, err
		}
		d.faces[i], d.used[i] = newShaper(face), map[font.GID]glyph{}
	}
	return d, nil
}

func (d *Document) face(s Style) (*shaper, int) {
	if s.Bold {
		return d.faces[1], 1
	}
	return d.faces[0], 0
}

// Width returns how wide a text is, in points.
func (d *Document) Width(text string, s Style) float64 {
	face, _ := d.face(s)
	return width(face.shape(clean(text))) * s.Size / em
}

// Page begins a page.
func (d *Document) Page() {
	d.endPage()
	d.page = &bytes.Buffer{}
}

// Pages returns how many pages there are.
func (d *Document) Pages() int {
	if d.page != nil {
		return len(d.pages) + 1
	}
	return len(d.pages)
}

func (d *Document) endPage() {
	if d.page != nil {
		d.pages = append(d.pages, deflate(d.page.Bytes()))
	}
	d.page = nil
}

// Text draws one line of text on the page, its left end at x, and y points below the page's upper edge.
func (d *Document) Text(x, y float64, text string, s Style) {
	text = clean(text)
	face, name := d.face(s)
	glyphs := face.shape(text)
	fmt.Fprintf(d.page, "/Span<</ActualText %s>>BDC BT /F%d %s Tf %s g %s %s Td ", utf16Text(text), name,
		number(s.Size), number(s.Gray), number(x), number(d.height-y))
	rise, open := 0.0, false
	for _, g := range glyphs {
		d.used[name][g.gid] = better(d.used[name][g.gid], g)
		if g.y != rise {
			if open {
				d.page.WriteString("]TJ ")
			}
			rise, open = g.y, false
			fmt.Fprintf(d.page, "%s Ts ", number(rise*s.Size/em))
		}
		if !open {
			d.page.WriteByte('[')
			open = true
		}
		adjust(d.page, -g.x)
		fmt.Fprintf(d.page, "<%04x>", g.gid)
		adjust(d.page, g.natural+g.x-g.advance)
	}
	if open {
		d.page.WriteString("]TJ ")
	}
	if rise != 0 {
		d.page.WriteString("0 Ts ")
	}
	d.page.WriteString("ET EMC\n")
}

// adjust moves what follows to the left, by thousandths of the size.
func adjust(page *bytes.Buffer, by float64) {
	if math.Abs(by) >= 0.5 {
		fmt.Fprint(page, math.Round(by))
	}
}

// better returns the glyph that says more of what it stands for.
func better(a, b glyph) glyph {
	if len(a.text) > 0 {
		return a
	}
	return b
}

// Rule draws a horizontal line.
func (d *Document) Rule(x, y, width, gray float64) {
	fmt.Fprintf(d.page, "%s G 0.5 w %s %s m %s %s l S\n", number(gray), number(x), number(d.height-y), number(x+width),
		number(d.height-y))
}

// Wrap returns a text in lines that are not wider than a width, and at most so many of them: what is cut off ends in
// dots.
func (d *Document) Wrap(text string, s Style, width float64, most int) (lines []string) {
	fits := func(text string) bool { return d.Width(text, s) <= width }
	words := strings.Fields(clean(text))
	for len(words) > 0 {
		if len(lines) == most {
			lines[most-1] = d.shorten(lines[most-1]+" "+words[0], fits)
			return lines
		}
		line := words[0]
		if !fits(line) {
			head, rest := d.split(line, s, width)
			if lines, words[0] = append(lines, head), rest; rest == "" {
				words = words[1:]
			}
			continue
		}
		for words = words[1:]; len(words) > 0 && fits(line+" "+words[0]); words = words[1:] {
			line += " " + words[0]
		}
		lines = append(lines, line)
	}
	return lines
}

// split returns as much of a word as fits, and the rest. It never takes a syllable apart.
func (d *Document) split(word string, s Style, width float64) (head, rest string) {
	face, _ := d.face(s)
	runes, left := []rune(word), width*em/s.Size
	for _, g := range face.shape(word) {
		if left -= g.advance; left < 0 && g.cluster > 0 {
			return string(runes[:g.cluster]), string(runes[g.cluster:])
		}
	}
	return word, ""
}

// shorten returns a text with dots at its end, so short that it fits.
func (d *Document) shorten(text string, fits func(string) bool) string {
	runes := []rune(text)
	for len(runes) > 0 && !fits(string(runes)+"…") {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}

func deflate(content []byte) []byte {
	var out bytes.Buffer
	to := zlib.NewWriter(&out)
	_, _ = to.Write(content) // to memory
	_ = to.Close()
	return out.Bytes()
}

func number(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

// utf16Text returns a text as PDF writes it outside of pages.
func utf16Text(text string) string {
	return fmt.Sprintf("<FEFF%s>", utf16Hex([]rune(text)))
}

func utf16Hex(text []rune) string {
	var out strings.Builder
	for _, unit := range utf16.Encode(text) {
		fmt.Fprintf(&out, "%04X", unit)
	}
	return out.String()
}

// gids returns the glyphs in use, in their order.
func gids(used map[font.GID]glyph) []font.GID {
	var all []font.GID
	for gid := range used {
		all = append(all, gid)
	}
	slices.Sort(all)
	return all
}
