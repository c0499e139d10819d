package pdf

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// em is the size at which texts are shaped: the units of PDF's fonts.
const em = 1000

// glyph is one glyph of a shaped text, in thousandths of the size.
type glyph struct {
	gid           font.GID
	advance, x, y float64
	text          []rune  // what it stands for, where it stands for something alone
	cluster       int     // which of the text it begins with
	natural       float64 // its advance as the font has it
}

// shaper shapes texts in one typeface. It may be used by one goroutine at a time.
type shaper struct {
	*typeface
	face *font.Face
	run  shaping.HarfbuzzShaper
	past map[string][]glyph // what was shaped last: a text is measured before it is drawn
}

// pastTexts bounds the texts that a shaper remembers.
const pastTexts = 500

func newShaper(t *typeface) *shaper {
	return &shaper{typeface: t, face: font.NewFace(t.font), past: map[string][]glyph{}}
}

// shape returns the glyphs of a text: what the font lacks is a box.
func (s *shaper) shape(text string) []glyph {
	all, known := s.past[text]
	if known {
		return all
	}
	runes := []rune(text)
	for start := 0; start < len(runes); {
		script, end := scriptRun(runes, start)
		out := s.run.Shape(shaping.Input{
			Text: runes, RunStart: start, RunEnd: end, Direction: di.DirectionLTR, Face: s.face, Size: fixed.I(em),
			Script: script, Language: language.NewLanguage("hi"),
		})
		for _, g := range out.Glyphs {
			one := glyph{
				gid: g.GlyphID, advance: points(g.Advance), x: points(g.XOffset), y: points(g.YOffset),
				cluster: g.TextIndex()}
			one.natural = float64(s.face.HorizontalAdvance(g.GlyphID))
			if g.GlyphsCount() == 1 && g.GlyphID != 0 {
				one.text = runes[g.TextIndex() : g.TextIndex()+g.RunesCount()]
			}
			all = append(all, one)
		}
		start = end
	}
	if len(s.past) >= pastTexts {
		clear(s.past)
	}
	s.past[text] = all
	return all
}

func points(v fixed.Int26_6) float64 { return float64(v) / 64 }

// scriptRun returns the script of a text from a place on, and where it ends. Signs and digits belong to what stands
// before them.
func scriptRun(text []rune, start int) (script language.Script, end int) {
	script = language.Common
	for end = start; end < len(text); end++ {
		switch own := language.LookupScript(text[end]); {
		case own == language.Common || own == language.Inherited || own == script:
		case script == language.Common:
			script = own
		default:
			return script, end
		}
	}
	return script, end
}

// clean returns a text as it can be drawn on one line: without control characters, and with single spaces.
func clean(text string) string {
	return strings.Join(
		strings.FieldsFunc(strings.ToValidUTF8(text, "�"),
			func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func width(glyphs []glyph) (sum float64) {
	for _, g := range glyphs {
		sum += g.advance
	}
	return sum
}
