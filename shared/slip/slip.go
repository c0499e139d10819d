// Package slip lays out papers that can be read on a phone: narrow pages with large letters, one line below the other.
// A customer's statement and an invoice are slips.
package slip

import (
	"fmt"

	"github.com/haatline/haatline/shared/pdf"
)

// The page is an A6: as wide as a phone shows it, its letters are as large as those of a message. In points.
const (
	PageWidth, PageHeight = 298.0, 420.0
	Margin                = 18.0
	inner                 = PageWidth - 2*Margin
	Bottom                = PageHeight - 30 // below it stands the number of the page
	gap                   = 8.0             // between a text at the left and one at the right
	space                 = 5.0             // above and below a rule
	dark, pale            = 0.35, 0.8
)

// Look is how a line looks.
type Look struct {
	pdf.Style
	height float64 // of one line
	most   int     // lines of one text
}

// The looks of lines.
var (
	Title  = Look{pdf.Style{Bold: true, Size: 18}, 24, 3}
	Huge   = Look{pdf.Style{Bold: true, Size: 22}, 30, 2}
	Strong = Look{pdf.Style{Bold: true, Size: 13}, 19, 4}
	Plain  = Look{pdf.Style{Size: 13}, 19, 3}
	Small  = Look{pdf.Style{Size: 11, Gray: dark}, 16, 4}
)

// Line is a text at the left, and one at the right of it.
type Line struct {
	Ruled       bool // a rule stands above it
	Left, Right string
	Look        Look
}

// Block is lines that stay on one page.
type Block []Line

// Placed is a text with its place on a page.
type Placed struct {
	X, Y float64
	Text string
	pdf.Style
	Rule bool
}

// PDF returns blocks as a file. The same blocks make the same bytes.
func PDF(title, language string, blocks []Block) ([]byte, error) {
	doc, err := pdf.New(title, language, PageWidth, PageHeight)
	if err != nil {
		return nil, err
	}
	draw(doc, Pages(doc, blocks))
	return doc.Bytes(), nil
}

// Pages returns what stands on the pages.
func Pages(doc *pdf.Document, blocks []Block) (pages [][]Placed) {
	y := Bottom
	for _, b := range blocks {
		texts, height := b.place(doc)
		if y+height > Bottom || len(pages) == 0 {
			pages, y = append(pages, nil), Margin
		}
		for _, t := range texts {
			if t.Rule && y == Margin && t.Y == space {
				continue // nothing stands above it
			}
			t.Y += y
			pages[len(pages)-1] = append(pages[len(pages)-1], t)
		}
		y += height
	}
	return pages
}

// place returns the texts of a block, as if it began at the top, and how high it is.
func (b Block) place(doc *pdf.Document) (texts []Placed, y float64) {
	for _, l := range b {
		if l.Ruled {
			texts, y = append(texts, Placed{X: Margin, Y: y + space, Rule: true}), y+2*space
		}
		room := inner
		if l.Right != "" {
			wide := doc.Width(l.Right, l.Look.Style)
			texts = append(texts,
				Placed{X: PageWidth - Margin - wide, Y: y + l.Look.Size, Text: l.Right, Style: l.Look.Style})
			if room -= wide + gap; room < doc.Width(l.Left, l.Look.Style) && room < inner/3 {
				y, room = y+l.Look.height, inner // the left text stands below it
			}
		}
		wrapped := doc.Wrap(l.Left, l.Look.Style, room, l.Look.most)
		for i, text := range wrapped {
			texts = append(texts,
				Placed{X: Margin, Y: y + l.Look.Size + float64(i)*l.Look.height, Text: text, Style: l.Look.Style})
		}
		y += l.Look.height * float64(max(1, len(wrapped)))
	}
	return texts, y
}

// draw draws the pages, each with its number.
func draw(doc *pdf.Document, pages [][]Placed) {
	for i, page := range pages {
		doc.Page()
		for _, t := range page {
			if t.Rule {
				doc.Rule(t.X, t.Y, inner, pale)
				continue
			}
			doc.Text(t.X, t.Y, t.Text, t.Style)
		}
		number := fmt.Sprintf("%d / %d", i+1, len(pages))
		doc.Text(PageWidth-Margin-doc.Width(number, Small.Style), PageHeight-Margin/2, number, Small.Style)
	}
}
