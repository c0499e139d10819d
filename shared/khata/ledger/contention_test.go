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

// triesPerEntry has the clients of some processes make entries in one customer's ledger. It returns how many writes
// they try for an entry.
func triesPerEntry(t *testing.T, db *dynamotest.DB, processes, clients, entries int) float64 {
	t.Helper()
	ledgers := make([]*ledger.Ledger, processes)
	counts := make([]func() int64, processes)
	for n := range ledgers {
		client, tried := db.Conflicting(20)
		ledgers[n], counts[n] = &ledger.Ledger{DB: client, Now: time.Now}, tried
	}
	var working sync.WaitGroup
	for n := range clients {
		working.Go(func() {
			l := ledgers[n%processes]
			for i := range entries / clients {
				request, err := ledger.Request(kirana(), idempotency.API, fmt.Sprint(processes, " ", n, ".", i), nil)
				if err != nil {
					t.Error(err)
				}
				if _, err := l.Add(t.Context(), kirana(),
					ledger.Draft{Customer: "+919876543210", Type: khatamodel.CreditSale, Amount: rupees("1")},
					request); err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	var tries int64
	for _, tried := range counts {
		tries += tried()
	}
	return float64(tries) / float64(entries)
}

// A write that meets another one is lost work. How many are lost depends on who meets whom, and not on how fast the
// machine is: a wait is as long as some writes.
func TestThirtyTwoClientsOfOneCustomerLoseFewWrites(t *testing.T) {
	db := dynamotest.Start(t, ledgerTables...)
	const injected = 1 / 19.0 // every twentieth write meets another transaction
	for processes, most := range map[int]float64{
		1: 1 + 1.5*injected, // the clients of one process take turns
		4: 1.8,              // without waits of random length, four processes that write at once try more than twice
	} {
		tries := triesPerEntry(t, db, processes, 32, 640)
		t.Logf("%.2f writes for an entry by 32 clients in %d processes", tries, processes)
		if tries > most {
			t.Errorf("%.2f writes for an entry by 32 clients in %d processes, want %.2f at most", tries,
				processes, most)
		}
	}
}
