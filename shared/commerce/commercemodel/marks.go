package commercemodel

// OrderMarks is what was done about an order, beside the order's item. It is not written whole.
type OrderMarks struct {
	PK           string  `dynamodbav:"pk"` // STORE#{store_id}
	SK           string  `dynamodbav:"sk"` // MARKS#{order_id}
	Stock        []Taken `dynamodbav:"stock"`
	CodeReturned bool    `dynamodbav:"code_returned,omitempty"`
	TTL          int64   `dynamodbav:"ttl,omitempty"`
}
