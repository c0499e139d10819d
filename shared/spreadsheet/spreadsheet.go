// Package spreadsheet writes the cells of files that people open in a spreadsheet.
package spreadsheet

import "strings"

// formula are the characters with which a spreadsheet takes a cell for a formula.
const formula = "=+-@\t\r"

// Escape returns a cell that no spreadsheet takes for a formula.
func Escape(cell string) string {
	if cell != "" && strings.ContainsRune(formula, rune(cell[0])) || strings.HasPrefix(cell, "'") {
		return "'" + cell
	}
	return cell
}

// Unescape returns the cell that Escape has made.
func Unescape(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && rest != "" && strings.ContainsRune(formula+"'", rune(rest[0])) {
		return rest
	}
	return cell
}
