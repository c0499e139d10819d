package paper

import (
	"fmt"

	"github.com/haatline/haatline/shared/pdf"
)

// The page is an A6: as wide as a phone shows it, its letters are as large as those of a message. In points.
const (
	pageWidth, pageHeight = 298.0, 420.0
	margin                = 18.0
	inner                 = pageWidth - 2*margin
	bottom                = pageHeight - 30 // below it stands the number of the page
	gap                   = 8.0             // between a text at the left and one at the right
	space                 = 5.0             // above and below a rule
	dark, pale            = 0.35, 0.8
)

// look is how a line of a statement looks.
type look struct {
	pdf.Style
	height float64 // of one line
	most   int     // lines of one text
}

var (
	title  = look{pdf.Style{Bold: true, Size: 18}, 24, 3}
	huge   = look{pdf.Style{Bold: true, Size: 22}, 30, 2}
	strong = look{pdf.Style{Bold: true, Size: 13}, 19, 4}
	plain  = look{pdf.Style{Size: 13}, 19, 3}
	small  = look{pdf.Style{Size: 11, Gray: dark}, 16, 4}
)

// line is a text at the left, and one at the right of it.
type line struct {
	ruled       bool // a rule stands above it
	left, right string
	style       look
}

// block is lines that stay on one page.
type block []line

// placed is a text with its place on a page.
type placed struct {
	x, y float64
	text string
	pdf.Style
	rule bool
}

// layout returns the pages of a statement.
func layout(doc *pdf.Document, blocks []block) (pages [][]placed) {
	y := bottom
	for _, b := range blocks {
		texts, height := b.place(doc)
		if y+height > bottom || len(pages) == 0 {
			pages, y = append(pages, nil), margin
		}
		for _, t := range texts {
			if t.rule && y == margin && t.y == space {
				continue // nothing stands above it
			}
			t.y += y
			pages[len(pages)-1] = append(pages[len(pages)-1], t)
		}
		y += height
	}
	return pages
}

// place returns the texts of a block, as if it began at the top, and how high it is.
func (b block) place(doc *pdf.Document) (texts []placed, y float64) {
	for _, l := range b {
		if l.ruled {
			texts, y = append(texts, placed{x: margin, y: y + space, rule: true}), y+2*space
		}
		room := inner
		if l.right != "" {
			wide := doc.Width(l.right, l.style.Style)
			texts = append(texts,
				placed{x: pageWidth - margin - wide, y: y + l.style.Size, text: l.right, Style: l.style.Style})
			if room -= wide + gap; room < doc.Width(l.left, l.style.Style) && room < inner/3 {
				y, room = y+l.style.height, inner // the left text stands below it
			}
		}
		wrapped := doc.Wrap(l.left, l.style.Style, room, l.style.most)
		for i, text := range wrapped {
			texts = append(texts,
				placed{x: margin, y: y + l.style.Size + float64(i)*l.style.height, text: text, Style: l.style.Style})
		}
		y += l.style.height * float64(max(1, len(wrapped)))
	}
	return texts, y
}

// draw draws the pages, each with its number.
func draw(doc *pdf.Document, pages [][]placed) {
	for i, page := range pages {
		doc.Page()
		for _, t := range page {
			if t.rule {
				doc.Rule(t.x, t.y, inner, pale)
				continue
			}
			doc.Text(t.x, t.y, t.text, t.Style)
		}
		number := fmt.Sprintf("%d / %d", i+1, len(pages))
		doc.Text(pageWidth-margin-doc.Width(number, small.Style), pageHeight-margin/2, number, small.Style)
	}
}
