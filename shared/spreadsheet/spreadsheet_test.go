package spreadsheet

import "testing"

func FuzzEscape(f *testing.F) {
	for _, cell := range []string{"", "rice", "=1+1", "+91", "-5", "@SUM", "\tx", "'", "''", "'=1"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		escaped := Escape(cell)
		if escaped != "" && escaped[0] != '\'' && Escape(escaped) != escaped {
			t.Errorf("%q is a formula still: %q", cell, escaped)
		}
		if back := Unescape(escaped); back != cell {
			t.Errorf("%q comes back as %q", cell, back)
		}
	})
}
