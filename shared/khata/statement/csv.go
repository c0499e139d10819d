package statement

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/haatline/haatline/shared/spreadsheet"
)

// header is the columns of a statement as CSV.
var header = []string{
	"date", "time", "id", "type", "amount", "balance_before", "balance_after", "order_id", "reference", "method",
	"reason", "notes"}

// CSV writes a statement's entries, one a line.
func (s Statement) CSV(to io.Writer) error {
	file := csv.NewWriter(to)
	if err := file.Write(header); err != nil {
		return fmt.Errorf("statement: %w", err)
	}
	for _, t := range s.Entries {
		row := []string{
			t.Day(), t.CreatedAt.Go().In(s.Shop.Zone).Format("15:04"), string(t.TransactionID), string(t.Type),
			t.Amount.StringFixed(2), t.BalanceBefore.StringFixed(2),
			t.BalanceAfter.StringFixed(2), string(t.OrderID), escape(t.ReferenceID), t.PaymentMethod, escape(t.Reason),
			escape(t.Notes),
		}
		if err := file.Write(row); err != nil {
			return fmt.Errorf("statement: %w", err)
		}
	}
	file.Flush()
	return file.Error()
}

// escape returns a cell that no spreadsheet takes for a formula. A number is none.
func escape(cell string) string {
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return spreadsheet.Escape(cell)
}
