package received

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// quotes are what mail programs put around the history: a class, or the id of what begins it.
var quotes = []string{
	"gmail_quote", "gmail_extra", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "zmail_extra",
	"tutanota_quote"}

// begins are ids after which everything is history.
var begins = []string{"appendonsend", "divrplyfwdmsg", "x_divrplyfwdmsg", "mail-editor-reference-message-container"}

// blocks begin a line of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.Tr: true, atom.Li: true, atom.H1: true, atom.H2: true,
	atom.H3: true, atom.H4: true, atom.Table: true, atom.Ul: true, atom.Ol: true, atom.Hr: true, atom.Section: true,
}

// hidden elements hold nothing that people read, or the history. All of them have an end.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Head: true, atom.Title: true, atom.Template: true, atom.Blockquote: true,
	atom.Svg: true, atom.Noscript: true,
}

// void elements have no end, so they do not change how deep the reader is.
var void = map[atom.Atom]bool{
	atom.Br: true, atom.Hr: true, atom.Img: true, atom.Input: true, atom.Meta: true, atom.Link: true, atom.Area: true,
	atom.Base: true, atom.Col: true, atom.Embed: true, atom.Source: true, atom.Wbr: true, atom.Param: true,
}

// textOf returns the text of HTML that a reader sees, without the history.
func textOf(page string) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(page))
	inside, until := 0, 0 // how many elements with the name of the hidden one are open
	var skipped atom.Atom
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		token := tokens.Token()
		switch {
		case skipped != 0:
			if token.DataAtom != skipped {
				continue
			}
			if kind == html.StartTagToken {
				inside++
			} else if kind == html.EndTagToken {
				inside--
			}
			if inside == until {
				skipped = 0
			}
		case kind == html.TextToken:
			b.WriteString(strings.Join(strings.FieldsFunc(edged(token.Data), isSpace), " "))
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			if marks(token, begins) {
				return b.String()
			}
			if kind == html.StartTagToken && !void[token.DataAtom] && token.DataAtom != 0 &&
				(hidden[token.DataAtom] || marks(token, quotes) || unseen(token)) {
				skipped, inside, until = token.DataAtom, 1, 0
				continue
			}
			if blocks[token.DataAtom] {
				b.WriteByte('\n')
			}
		case kind == html.EndTagToken && blocks[token.DataAtom]:
			b.WriteByte('\n')
		}
	}
}

// edged keeps the spaces at the ends of a text, as characters that are no spaces.
func edged(text string) string {
	if text == "" {
		return ""
	}
	if isSpace(rune(text[0])) {
		text = edge + text
	}
	if isSpace(rune(text[len(text)-1])) {
		text += edge
	}
	return text
}

// edge stands for a space at the end of a text until lines are put together.
const edge = "\u00a0"

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

// marks reports whether an element has one of the names as its class or id.
func marks(token html.Token, names []string) bool {
	for _, a := range token.Attr {
		if a.Key != "class" && a.Key != "id" {
			continue
		}
		for _, value := range strings.Fields(strings.ToLower(a.Val)) {
			for _, name := range names {
				if value == name {
					return true
				}
			}
		}
	}
	return false
}

// unseen reports whether an element does not show, so that a reader never sees what is in it.
func unseen(token html.Token) bool {
	for _, a := range token.Attr {
		style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
		if a.Key == "hidden" || a.Key == "style" && (strings.Contains(style, "display:none") ||
			strings.Contains(style, "visibility:hidden") || strings.Contains(style, "font-size:0")) {
			return true
		}
	}
	return false
}
