package export

import (
	"context"
	"encoding/json"
	"errors"
)

// The kinds of lines of credit.
const (
	khataBalanceLine = "khataBalance"
	khataEntryLine   = "khataEntry"
)

// khata exports the credit book of the store under a path: what each customer owes, and every entry. A deployment without it has nothing
// to export.
func (e *exporter) khata(ctx context.Context, store string) error {
	err := e.pages(ctx, store+"/khata/customers", nil, func(rows []json.RawMessage) error { return e.all(khataBalanceLine, rows) })
	if errors.Is(err, errGone) {
		return nil
	}
	if err != nil {
		return err
	}
	err = e.pages(ctx, store+"/khata/entries", nil, func(rows []json.RawMessage) error { return e.all(khataEntryLine, rows) })
	if errors.Is(err, errGone) {
		return errors.New("the credit book was there a moment ago")
	}
	return err
}
