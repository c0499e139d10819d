package keys

import "github.com/haatline/haatline/shared/tables"

func init() {
	holds(tables.KhataTransactions, map[string]Key{
		"KhataEntry": KhataEntry("{store}", "{phone}", "{entry}"), "ReversalOf": ReversalOf("{entry}"),
		"SaleOf": SaleOf("{store}", "{order}"), "PaymentOf": PaymentOf("{store}", "{payment}"),
		"PaymentAsked": PaymentAsked("{store}", "{payment}"), "RefundOf": RefundOf("{entry}", "{refund}"),
	})
	holds(tables.CustomerBalances, map[string]Key{
		"KhataBalance": KhataBalance("{store}", "{phone}"), "KhataClaim": KhataClaim("{store}", "{state}", "{claim}")})
	holds(tables.IdempotencyKeys, map[string]Key{"KhataReplay": KhataReplay("{hash}"), "KhataCheck": KhataCheck()})
	holds(tables.PaymentReminders, map[string]Key{"Reminder": Reminder("{reminder}")})
}
