package ledger_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var ledgerTables = []tables.Table{tables.KhataTransactions, tables.CustomerBalances, tables.IdempotencyKeys}

func kirana() shop.Shop {
	return shop.Shop{ID: "STR-K3FJ82", Tenant: "demo", Zone: time.UTC}
}

func rupees(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// goodput returns how many entries a second the clients of some processes make in one customer's ledger.
func goodput(t *testing.T, db *dynamotest.DB, processes, clients, entries int, round string) float64 {
	t.Helper()
	ledgers := make([]*ledger.Ledger, processes)
	for n := range ledgers {
		ledgers[n] = &ledger.Ledger{DB: db.Conflicting(20), Now: time.Now}
	}
	began := time.Now()
	var working sync.WaitGroup
	for n := range clients {
		working.Go(func() {
			l := ledgers[n%processes]
			for i := range entries / clients {
				request, err := ledger.Request(kirana(), idempotency.API, fmt.Sprint(round, n, ".", i), nil)
				if err != nil {
					t.Error(err)
				}
				if _, err := l.Add(t.Context(), kirana(), ledger.Draft{Customer: "+919876543210", Type: khatamodel.CreditSale, Amount: rupees("1")}, request); err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	return float64(entries) / time.Since(began).Seconds()
}

func TestThirtyTwoClientsOfOneCustomerGetMostOfOneClientsGoodput(t *testing.T) {
	db := dynamotest.Start(t, ledgerTables...)
	goodput(t, db, 1, 1, 64, "warm")
	for _, processes := range []int{1, 4} {
		best := 0.0
		for round := range 8 { // the machine does other things as well
			one, many := goodput(t, db, 1, 1, 160, fmt.Sprint("one", processes, round)), goodput(t, db, processes, 32, 320, fmt.Sprint("many", processes, round))
			t.Logf("%.0f entries a second by one client, %.0f by 32 in %d processes: %.2f", one, many, processes, many/one)
			if best = max(best, many/one); best >= 0.7 {
				break
			}
		}
		if best < 0.7 {
			t.Errorf("32 clients in %d processes have %.2f of one client's goodput", processes, best)
		}
	}
}
