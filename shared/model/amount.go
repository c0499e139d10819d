package model

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/shopspring/decimal"
)

// Amount is money or a quantity: an exact decimal, stored as a DynamoDB number. There is no binary fraction in between.
type Amount struct{ decimal.Decimal }

// MarshalDynamoDBAttributeValue stores the amount as N.
func (a Amount) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberN{Value: a.String()}, nil
}

// UnmarshalDynamoDBAttributeValue reads an N.
func (a *Amount) UnmarshalDynamoDBAttributeValue(value types.AttributeValue) error {
	number, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return fmt.Errorf("amount: want N, have %T", value)
	}
	parsed, err := decimal.NewFromString(number.Value)
	if err != nil {
		return fmt.Errorf("amount: %w", err)
	}
	a.Decimal = parsed
	return nil
}
