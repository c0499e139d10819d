package tables

// The ten tables of the commerce contract. Three sparse indexes are additions: what is due across stores cannot be found
// by the contract's own (due-index, reminder-due-index), nor can the largest dues of a store (dues-index).
var (
	Orders = Table{
		ID: "Orders", name: "vyaparai-orders-{stage}",
		Partition: s("store_id"), Sort: s("id"),
		Global: []Index{
			gsi(1), gsi(2), gsi(3),
			{Name: "order-id-index", Partition: s("id"), Projection: ProjectAll},
			{Name: "store_id-created_at-index", Partition: s("store_id"), Sort: s("created_at"), Projection: ProjectAll},
		},
		TTL:      "ttl",
		Stream:   NewAndOldImages,
		Recovery: durable,
	}
	Sessions = Table{
		ID: "Sessions", name: "vyaparai-sessions-{stage}",
		Partition: s("pk"),
		Global:    []Index{gsi(1)},
		TTL:       "ttl",
		Recovery:  durable,
	}
	Stores = Table{
		ID: "Stores", name: "vyaparai-stores-{stage}",
		Partition: s("pk"),
		Global:    []Index{gsi(1), gsi(2)},
		Recovery:  durable,
	}
	Products = Table{
		ID: "Products", name: "vyaparai-products-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi(1), gsi(2), gsi(3)},
		Recovery: durable,
	}
	Metrics = Table{
		ID: "Metrics", name: "vyaparai-metrics-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi(1)},
		TTL:      "ttl",
		Recovery: durable,
	}
	RateLimits = Table{
		ID: "RateLimits", name: "vyaparai-rate-limits-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi(1)},
		TTL:      "ttl",
		Recovery: durable,
	}
	KhataTransactions = Table{
		ID: "KhataTransactions", name: "vyaparai-khata-transactions-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi(1), gsi(2)},
		Recovery: durable,
	}
	CustomerBalances = Table{
		ID: "CustomerBalances", name: "vyaparai-customer-balances-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			gsi(1),
			{Name: "dues-index", Partition: s("pk"), Sort: n("outstanding_balance"), Projection: ProjectKeys},
			{Name: "reminder-due-index", Partition: s("reminder_bucket"), Sort: s("next_reminder_at"), Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	PaymentReminders = Table{
		ID: "PaymentReminders", name: "vyaparai-payment-reminders-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			gsi(1),
			{Name: "due-index", Partition: s("due_bucket"), Sort: s("scheduled_at"), Projection: ProjectKeys},
		},
		TTL:      "ttl",
		Recovery: durable,
	}
	IdempotencyKeys = Table{
		ID: "IdempotencyKeys", name: "vyaparai-idempotency-keys-{stage}",
		Partition: s("pk"),
		TTL:       "ttl",
		Recovery:  durable,
	}
)

var commerce = []Table{
	Orders, Sessions, Stores, Products, Metrics, RateLimits,
	KhataTransactions, CustomerBalances, PaymentReminders, IdempotencyKeys,
}

// gsi is one of the commerce contract's numbered indexes: GSI1 on gsi1pk and gsi1sk, every attribute projected.
func gsi(number int) Index {
	digit := string(rune('0' + number))
	return Index{Name: "GSI" + digit, Partition: s("gsi" + digit + "pk"), Sort: s("gsi" + digit + "sk"), Projection: ProjectAll}
}
