package commercemodel

import "github.com/haatline/haatline/shared/model"

// OrderChange is a change of an order, as far as it matters for what follows from the order. It names no customer.
type OrderChange struct {
	StoreID    model.Name  `dynamodbav:"store_id"`
	OrderID    model.Name  `dynamodbav:"order_id"`
	CustomerID model.Name  `dynamodbav:"customer_id"`
	Date       string      `dynamodbav:"date"`
	Version    int64       `dynamodbav:"version"` // that the change made; the last one of an order that was deleted
	At         model.Time  `dynamodbav:"at"`
	From       OrderStatus `dynamodbav:"from,omitempty"` // "" for a new order
	To         OrderStatus `dynamodbav:"to,omitempty"`
	Removed    bool        `dynamodbav:"removed,omitempty"` // a person has deleted the order
	// it was set aside: later changes of the order may have been worked on
	Again bool `dynamodbav:"again,omitempty"`
}

// FollowUp is a change of an order of which something that follows from it has failed.
type FollowUp struct {
	PK            string      `dynamodbav:"pk"` // STORE#{store_id}
	SK            string      `dynamodbav:"sk"` // FOLLOW_UP#{order_id}#{version}
	Change        OrderChange `dynamodbav:"change"`
	Failures      int64       `dynamodbav:"failures"`
	FirstFailedAt model.Time  `dynamodbav:"first_failed_at"`
	LastError     string      `dynamodbav:"last_error"`
	GSI1PK        string      `dynamodbav:"gsi1pk"` // FOLLOW_UPS#{aside|parked}
	GSI1SK        model.Time  `dynamodbav:"gsi1sk"` // when it is tried again; since when it is parked
	TTL           int64       `dynamodbav:"ttl"`
}
