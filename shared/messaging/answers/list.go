package answers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// CountAnswers names the count of erased answers and addresses.
const CountAnswers = "answers"

// Responses lists the forms that a customer has filled in, in no particular order.
func (s *Answers) Responses(ctx context.Context, of contacts.Customer) ([]model.FlowResponse, error) {
	return list[model.FlowResponse](ctx, s, of, model.ItemFlowResponse)
}

// Addresses lists the addresses of a customer, in no particular order. One of them is the default at most.
func (s *Answers) Addresses(ctx context.Context, of contacts.Customer) ([]model.Address, error) {
	all, err := list[model.Address](ctx, s, of, model.ItemAddress)
	chosen := defaultOf(all)
	for i := range all {
		all[i].IsDefault = i == chosen
	}
	return all, err
}

func list[T any](ctx context.Context, s *Answers, of contacts.Customer, itemType string) ([]T, error) {
	items, err := s.items(ctx, of)
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

// items reads what a customer has filled in. Other items of theirs are in the index, too.
func (s *Answers) items(ctx context.Context, of contacts.Customer) ([]dynamo.Item, error) {
	var refs []dynamo.Ref
	for _, id := range Identifiers(of) {
		rows, err := s.DB.Rows(ctx, Query(id))
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
		if item := ref.Found(found); Is(of, item) {
			items = append(items, item)
		}
	}
	return items, nil
}

// Identifiers returns the identifiers under which there may be answers of a customer: those that they have, and those
// that they have had.
func Identifiers(of contacts.Customer) []model.CustomerID {
	all := of.Identifiers()
	for _, held := range of.Held() {
		all = append(all, held.ID)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Query returns the query for the keys of what a customer has filled in, and of other items that name the customer.
func Query(customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexCustomerPhone, Where: "customerPhone = :p",
		Values: dynamo.Item{":p": dynamo.S(customer)},
	}
}

// Is reports whether an item is something that a customer has filled in. Answers are kept by the identifier that the
// message showed. It may have passed on to somebody else since: they are of the person who had it then.
func Is(of contacts.Customer, item dynamo.Item) bool {
	return keys.IsAnswer(dynamo.Text(item, keys.PK)) && dynamo.Text(item, "phoneNumberId") == string(of.Phone()) &&
		of.Owns(contacts.Sighting{
			At:  model.OrderOf(model.Time(dynamo.Text(item, "createdAt")), math.MaxInt64),
			IDs: []model.CustomerID{model.CustomerID(dynamo.Text(item, "customerPhone"))}})
}

// Erase removes what a customer has filled in. count returns the writes by which an audit record counts, for each
// transaction.
func (s *Answers) Erase(ctx context.Context, of contacts.Customer,
	count func(name string, n int) []dynamo.Write) error {
	items, err := s.items(ctx, of)
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
