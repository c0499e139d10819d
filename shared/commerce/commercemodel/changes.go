package commercemodel

import (
	"cmp"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// An order's history grows with every step, and the item is in five indexes: all of them cost another unit for each
// beginning KB. So a change is stored in few bytes.

// ShortChange is a change as it is stored: its time in milliseconds, and its version only if it is not one more than
// that of the change before.
type ShortChange struct {
	At        int64         `dynamodbav:"at"`
	By        string        `dynamodbav:"by,omitempty"`
	To        OrderStatus   `dynamodbav:"to,omitempty"`
	Version   *int64        `dynamodbav:"v,omitempty"`
	AllowedBy string        `dynamodbav:"allowed_by,omitempty"`
	Reason    string        `dynamodbav:"reason,omitempty"`
	Lines     []Line        `dynamodbav:"lines,omitempty"`
	Total     *model.Amount `dynamodbav:"total,omitempty"`
}

// stored is an order as its item has it.
type stored Order

// MarshalDynamoDBAttributeValue implements attributevalue.Marshaler. Changes that the release before has written stay
// as they are.
func (o Order) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	var long, rest []Change
	version := int64(0) // of the change before
	for _, c := range o.History {
		if c.Long {
			long, version = append(long, c), c.Version
		} else {
			rest = append(rest, c)
		}
	}
	o.History, o.Changes = long, nil
	for _, c := range rest {
		o.Changes, version = append(o.Changes, short(c, version+1)), c.Version
	}
	return attributevalue.Marshal(stored(o))
}

// short returns a change as it is stored. next is the version that needs no mention.
func short(c Change, next int64) ShortChange {
	s := ShortChange{
		At: c.At.Go().UnixMilli(), By: c.By, To: c.Status, AllowedBy: c.AllowedBy, Reason: c.Reason, Lines: c.Lines,
		Total: c.Total}
	if c.Version != next {
		s.Version = &c.Version
	}
	return s
}

// UnmarshalDynamoDBAttributeValue implements attributevalue.Unmarshaler.
func (o *Order) UnmarshalDynamoDBAttributeValue(item types.AttributeValue) error {
	if err := attributevalue.Unmarshal(item, (*stored)(o)); err != nil {
		return err
	}
	version := int64(0)
	for i := range o.History {
		o.History[i].Long, version = true, o.History[i].Version
	}
	for _, s := range o.Changes {
		version++
		if s.Version != nil {
			version = *s.Version
		}
		o.History = append(o.History, Change{
			At: model.At(time.UnixMilli(s.At)), By: s.By, AllowedBy: s.AllowedBy, Status: s.To, Reason: s.Reason,
			Lines: s.Lines, Total: s.Total, Version: version})
	}
	if len(o.Changes) > 0 { // the release before may have gone on after this one
		sorting.Func(o.History, func(a, b Change) int { return cmp.Compare(a.Version, b.Version) })
	}
	o.Changes = nil
	return nil
}
