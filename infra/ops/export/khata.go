package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
)

// The kinds of lines of credit.
const (
	khataBalanceLine = "khataBalance"
	paymentClaimLine = "paymentClaim"
	khataEntryLine   = "khataEntry"
)

// exportKhata exports the credit book of each store: what each customer owes, and every entry.
func exportKhata(ctx context.Context, e *exporter, tenants []string) error {
	return e.stores(ctx, tenants, e.khata)
}

// khata exports the credit book of a store. A deployment without it has nothing to export.
func (e *exporter) khata(ctx context.Context, id string, _ json.RawMessage) error {
	store := "/v1/stores/" + url.PathEscape(id)
	err := e.pages(ctx, store+"/khata/customers", nil,
		func(rows []json.RawMessage) error { return e.all(khataBalanceLine, rows) })
	if errors.Is(err, errGone) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, state := range []string{"open", "confirmed", "refused", "withdrawn"} {
		err = e.pages(ctx, store+"/khata/claims", url.Values{"state": {state}},
			func(rows []json.RawMessage) error { return e.all(paymentClaimLine, rows) })
		if err != nil {
			return fmt.Errorf("claims of payments: %w", err)
		}
	}
	err = e.pages(ctx, store+"/khata/entries", nil,
		func(rows []json.RawMessage) error { return e.all(khataEntryLine, rows) })
	if errors.Is(err, errGone) {
		return errors.New("the credit book was there a moment ago")
	}
	return err
}
