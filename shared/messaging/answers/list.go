package answers

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// CountAnswers names the count of erased answers and addresses.
const CountAnswers = "answers"

// Responses lists the forms that customers with the identifiers have filled in for a number, in no particular order.
func (s *Answers) Responses(ctx context.Context, phone model.PhoneNumberID,
	who []model.CustomerID) ([]model.FlowResponse, error) {
	return list[model.FlowResponse](ctx, s, phone, who, model.ItemFlowResponse)
}

// Addresses lists the addresses that customers with the identifiers have sent to a number, in no particular order.
func (s *Answers) Addresses(ctx context.Context, phone model.PhoneNumberID,
	who []model.CustomerID) ([]model.Address, error) {
	return list[model.Address](ctx, s, phone, who, model.ItemAddress)
}

func list[T any](ctx context.Context, s *Answers, phone model.PhoneNumberID, who []model.CustomerID,
	itemType string) ([]T, error) {
	items, err := s.items(ctx, phone, who)
	if err != nil {
		return nil, err
	}
	var all []T
	for _, item := range items {
		if dynamo.Text(item, "itemType") != itemType {
			continue
		}
		var entity T
		if err := dynamo.Unmarshal(item, &entity); err != nil {
			return nil, err
		}
		all = append(all, entity)
	}
	return all, nil
}

// items reads what customers with the identifiers have filled in for a number. Other items of theirs are in the index,
// too.
func (s *Answers) items(ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID) ([]dynamo.Item, error) {
	var refs []dynamo.Ref
	for _, customer := range who {
		rows, err := s.DB.Rows(ctx, Query(customer))
		if err != nil {
			return nil, fmt.Errorf("list answers: %w", err)
		}
		for _, row := range rows {
			if pk := dynamo.Text(row, keys.PK); keys.IsAnswer(pk) {
				refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(pk)})
			}
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("list answers: %w", err)
	}
	var items []dynamo.Item
	for _, ref := range refs {
		if item := ref.Found(found); To(phone, item) {
			items = append(items, item)
		}
	}
	return items, nil
}

// Query returns the query for the keys of what a customer has filled in, and of other items that name the customer.
func Query(customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexCustomerPhone, Where: "customerPhone = :p",
		Values: dynamo.Item{":p": dynamo.S(customer)},
	}
}

// To reports whether an item is something that a customer has filled in for a number.
func To(phone model.PhoneNumberID, item dynamo.Item) bool {
	return keys.IsAnswer(dynamo.Text(item, keys.PK)) && dynamo.Text(item, "phoneNumberId") == string(phone)
}

// Erase removes what customers with the identifiers have filled in for a number. count returns the writes by which an
// audit record counts, for each transaction.
func (s *Answers) Erase(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	items, err := s.items(ctx, phone, who)
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(items, 50) {
		writes := count(CountAnswers, len(batch))
		for _, item := range batch {
			writes = append(writes,
				dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(item, keys.PK)), If: dynamo.IfPresent})
		}
		if err := s.DB.Transact(ctx, writes); err != nil {
			return fmt.Errorf("erase answers: %w", dynamo.Conflict(err))
		}
	}
	return nil
}
