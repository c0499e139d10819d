package commercemodel

import "github.com/haatline/haatline/shared/model"

// DailyOrders is the type of the figures of a day.
const DailyOrders = "daily_orders"

// Metric is the figures of a store, or of all stores, of one day in the store's zone.
type Metric struct {
	model.Rest
	PK               string            `dynamodbav:"pk"` // STORE#{store_id} or SYSTEM
	SK               string            `dynamodbav:"sk"` // METRIC#{type}#{date}
	MetricType       string            `dynamodbav:"metric_type"`
	Date             string            `dynamodbav:"date"`
	StoreID          model.Name        `dynamodbav:"store_id,omitempty"`
	Values           Figures           `dynamodbav:"values"`
	ChannelBreakdown map[Channel]int64 `dynamodbav:"channel_breakdown"`
	GSI1PK           string            `dynamodbav:"gsi1pk,omitempty"` // DATE#{date}
	GSI1SK           string            `dynamodbav:"gsi1sk,omitempty"` // STORE#{store_id}
	TTL              int64             `dynamodbav:"ttl"`
	CreatedAt        model.Time        `dynamodbav:"created_at"`

	// Additions.
	Version   int64      `dynamodbav:"version"` // the optimistic lock
	UpdatedAt model.Time `dynamodbav:"updated_at"`
}

// Lock returns the optimistic lock.
func (m *Metric) Lock() *int64 { return &m.Version }

// Figures are the numbers of a day.
type Figures struct {
	TotalOrders       int64        `dynamodbav:"total_orders"`
	ConfirmedOrders   int64        `dynamodbav:"confirmed_orders"`
	CancelledOrders   int64        `dynamodbav:"cancelled_orders"`
	TotalRevenue      model.Amount `dynamodbav:"total_revenue"`       // of the confirmed orders
	AverageOrderValue model.Amount `dynamodbav:"average_order_value"` // revenue by all orders, to two decimals
	UniqueCustomers   int64        `dynamodbav:"unique_customers"`
}

// CustomerDay says what each order that a customer made on a day has added to the store's figures.
type CustomerDay struct {
	model.Rest
	PK      string                      `dynamodbav:"pk"` // STORE#{store_id}
	SK      string                      `dynamodbav:"sk"` // CUSTOMER#{date}#{customer_id}
	Orders  map[model.Name]Contribution `dynamodbav:"orders"`
	Version int64                       `dynamodbav:"version"` // the optimistic lock
	TTL     int64                       `dynamodbav:"ttl"`
}

// Lock returns the optimistic lock.
func (c *CustomerDay) Lock() *int64 { return &c.Version }

// Contribution is what one order adds to the figures of its day. That of an order which was deleted has only a version.
type Contribution struct {
	// Version is the order's. An earlier version never replaces a later one.
	Version   int64        `dynamodbav:"v"`
	Total     int64        `dynamodbav:"t,omitempty"`
	Confirmed int64        `dynamodbav:"c,omitempty"`
	Cancelled int64        `dynamodbav:"x,omitempty"`
	Revenue   model.Amount `dynamodbav:"r"`
	Channel   Channel      `dynamodbav:"ch,omitempty"`
}
