package tables

// Names of the commerce contract's indexes that queries use.
const (
	IndexStoresByTenant = "tenant-index"
	IndexOrderByID      = "order-id-index"
	IndexOrdersByTime   = "store_id-created_at-index"
	IndexDues           = "dues-index"
	IndexRemindersOf    = "reminder-due-index" // balances by when their next reminder is due
	IndexRemindersDue   = "due-index"          // reminders by when they are to be sent
)

// The ten tables of the commerce contract. Four sparse indexes are our additions: the contract's indexes can find
// neither what is due across stores (due-index, reminder-due-index), nor the largest dues of a store (dues-index), nor
// the stores of a tenant (tenant-index).
var (
	Orders = Table{
		ID: "Orders", name: "vyaparai-orders-{stage}",
		Partition: s("store_id"), Sort: s("id"),
		Global: []Index{
			gsi1(), gsi2Unread(), gsi3(),
			{Name: IndexOrderByID, Partition: s("id"), Projection: ProjectAll},
			{Name: IndexOrdersByTime, Partition: s("store_id"), Sort: s("created_at"), Projection: ProjectAll},
		},
		TTL:      "ttl",
		Stream:   NewAndOldImages,
		Recovery: durable,
	}
	Sessions = Table{
		ID: "Sessions", name: "vyaparai-sessions-{stage}",
		Partition: s("pk"),
		Global:    []Index{gsi1()},
		TTL:       "ttl",
		Recovery:  durable,
	}
	Stores = Table{
		ID: "Stores", name: "vyaparai-stores-{stage}",
		Partition: s("pk"),
		Global: []Index{gsi1(), gsi2(),
			{Name: IndexStoresByTenant, Partition: s("tenant_id"), Sort: s("created_at"), Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	Products = Table{
		ID: "Products", name: "vyaparai-products-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi1(), gsi2(), gsi3()},
		Recovery: durable,
	}
	Metrics = Table{
		ID: "Metrics", name: "vyaparai-metrics-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi1()},
		TTL:      "ttl",
		Recovery: durable,
	}
	RateLimits = Table{
		ID: "RateLimits", name: "vyaparai-rate-limits-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi1()},
		TTL:      "ttl",
		Recovery: durable,
	}
	KhataTransactions = Table{
		ID: "KhataTransactions", name: "vyaparai-khata-transactions-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global:   []Index{gsi1(), gsi2()},
		Recovery: durable,
	}
	CustomerBalances = Table{
		ID: "CustomerBalances", name: "vyaparai-customer-balances-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			gsi1(),
			{Name: IndexDues, Partition: s("pk"), Sort: n("outstanding_balance"), Projection: ProjectKeys},
			{Name: IndexRemindersOf, Partition: s("reminder_bucket"), Sort: s("next_reminder_at"),
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	PaymentReminders = Table{
		ID: "PaymentReminders", name: "vyaparai-payment-reminders-{stage}",
		Partition: s("pk"), Sort: s("sk"),
		Global: []Index{
			gsi1(),
			{Name: IndexRemindersDue, Partition: s("due_bucket"), Sort: s("scheduled_at"), Projection: ProjectKeys},
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

// The commerce contract's numbered indexes, with all attributes projected.

func gsi1() Index {
	return Index{
		Name: "GSI1", Partition: Attribute{"gsi1pk", String}, Sort: Attribute{"gsi1sk", String},
		Projection: ProjectAll}
}

func gsi2() Index {
	return Index{
		Name: "GSI2", Partition: Attribute{"gsi2pk", String}, Sort: Attribute{"gsi2sk", String},
		Projection: ProjectAll}
}

func gsi2Unread() Index {
	return Index{
		Name: "GSI2", Partition: Attribute{"gsi2pk", String}, Sort: Attribute{"gsi2sk", String},
		Projection: ProjectAll, Unread: true}
}

func gsi3() Index {
	return Index{
		Name: "GSI3", Partition: Attribute{"gsi3pk", String}, Sort: Attribute{"gsi3sk", String},
		Projection: ProjectAll}
}

func init() {
	register(
		&Orders, &Sessions, &Stores, &Products, &Metrics, &RateLimits, &KhataTransactions, &CustomerBalances,
		&PaymentReminders, &IdempotencyKeys)
}
