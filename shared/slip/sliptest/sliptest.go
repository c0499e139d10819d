// Package sliptest shows what stands on a slip.
package sliptest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/pdf"
	"github.com/haatline/haatline/shared/slip"
)

// Text returns what stands where on the pages of a slip. It fails the test for a text that leaves its page.
func Text(t testing.TB, language string, blocks []slip.Block) string {
	t.Helper()
	doc, err := pdf.New("", language, slip.PageWidth, slip.PageHeight)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, page := range slip.Pages(doc, blocks) {
		fmt.Fprintf(&out, "-- %s, page %d\n", language, i+1)
		for _, p := range page {
			if p.Rule {
				p.Text = "----"
			}
			if end := p.X + doc.Width(p.Text, p.Style); end > slip.PageWidth-slip.Margin+0.01 || p.Y > slip.Bottom {
				t.Errorf("%q leaves the page: it ends at %.1f, %.1f", p.Text, end, p.Y)
			}
			fmt.Fprintf(&out, "%3.0f %3.0f  %s\n", p.X, p.Y, p.Text)
		}
	}
	return out.String()
}
