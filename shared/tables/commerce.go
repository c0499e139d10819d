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
		Partition: key{"store_id", String}, Sort: key{"id", String},
		Global: []Index{
			gsi1(), gsi2Unread(), gsi3(),
			{Name: IndexOrderByID, Partition: key{"id", String}, Projection: ProjectAll},
			{Name: IndexOrdersByTime, Partition: key{"store_id", String}, Sort: key{"created_at", String},
				Projection: ProjectAll},
		},
		TTL:      "ttl",
		Stream:   NewAndOldImages,
		Recovery: durable,
	}
	Sessions = Table{
		ID: "Sessions", name: "vyaparai-sessions-{stage}",
		Partition: key{"pk", String},
		Global:    []Index{gsi1()},
		TTL:       "ttl",
		Recovery:  durable,
	}
	Stores = Table{
		ID: "Stores", name: "vyaparai-stores-{stage}",
		Partition: key{"pk", String},
		Global: []Index{gsi1(), gsi2(),
			{Name: IndexStoresByTenant, Partition: key{"tenant_id", String}, Sort: key{"created_at", String},
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	Products = Table{
		ID: "Products", name: "vyaparai-products-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global:   []Index{gsi1(), gsi2(), gsi3()},
		Recovery: durable,
	}
	Metrics = Table{
		ID: "Metrics", name: "vyaparai-metrics-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global:   []Index{gsi1()},
		TTL:      "ttl",
		Recovery: durable,
	}
	RateLimits = Table{
		ID: "RateLimits", name: "vyaparai-rate-limits-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global:   []Index{gsi1()},
		TTL:      "ttl",
		Recovery: durable,
	}
	KhataTransactions = Table{
		ID: "KhataTransactions", name: "vyaparai-khata-transactions-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global:   []Index{gsi1(), gsi2()},
		Recovery: durable,
	}
	CustomerBalances = Table{
		ID: "CustomerBalances", name: "vyaparai-customer-balances-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			gsi1(),
			{Name: IndexDues, Partition: key{"pk", String},
				Sort: key{"outstanding_balance", Number}, Projection: ProjectKeys},
			{Name: IndexRemindersOf, Partition: key{"reminder_bucket", String}, Sort: key{"next_reminder_at", String},
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	PaymentReminders = Table{
		ID: "PaymentReminders", name: "vyaparai-payment-reminders-{stage}",
		Partition: key{"pk", String}, Sort: key{"sk", String},
		Global: []Index{
			gsi1(),
			{Name: IndexRemindersDue, Partition: key{"due_bucket", String}, Sort: key{"scheduled_at", String},
				Projection: ProjectKeys},
		},
		TTL:      "ttl",
		Recovery: durable,
	}
	IdempotencyKeys = Table{
		ID: "IdempotencyKeys", name: "vyaparai-idempotency-keys-{stage}",
		Partition: key{"pk", String},
		TTL:       "ttl",
		Recovery:  durable,
	}
)

// The commerce contract's numbered indexes, with all attributes projected.

func gsi1() Index {
	return Index{
		Name: "GSI1", Partition: key{"gsi1pk", String}, Sort: key{"gsi1sk", String},
		Projection: ProjectAll}
}

func gsi2() Index {
	return Index{
		Name: "GSI2", Partition: key{"gsi2pk", String}, Sort: key{"gsi2sk", String},
		Projection: ProjectAll}
}

func gsi2Unread() Index {
	return Index{
		Name: "GSI2", Partition: key{"gsi2pk", String}, Sort: key{"gsi2sk", String},
		Projection: ProjectAll, Unread: true}
}

func gsi3() Index {
	return Index{
		Name: "GSI3", Partition: key{"gsi3pk", String}, Sort: key{"gsi3sk", String},
		Projection: ProjectAll}
}

func init() {
	register(
		&Orders, &Sessions, &Stores, &Products, &Metrics, &RateLimits, &KhataTransactions, &CustomerBalances,
		&PaymentReminders, &IdempotencyKeys)
}
