// Package codes owns the discount codes of stores: what they take off an order, when they count, and how often they
// were used. A use is counted in the transaction that makes the order, on the condition that one is left. A cancelled
// order gives its use back.
package codes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/marks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a code may break.
var (
	ErrCode  = errors.New("the code is wrong")
	ErrStale = errors.New("changed since it was read")
)

// Codes reads and writes codes.
type Codes struct {
	DB  *dynamo.Client
	Now func() time.Time
}

var form = lazy.Regexp(`^[A-Z0-9]{3,20}$`)

// Parse returns a code as it is kept; "" and false for what cannot be one.
func Parse(text string) (model.Name, bool) {
	if text = strings.ToUpper(strings.TrimSpace(text)); form.Get().MatchString(text) {
		return model.Name(text), true
	}
	return "", false
}

// Ref refers to a store's code.
func Ref(store, code model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Products, Key: keys.DiscountCode(store, code)}
}

// useRef refers to how often a customer has used a code.
func useRef(store, code, customer model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Products, Key: keys.DiscountUse(store, code, customer)}
}

// Refs returns what In needs. customer is the customer's id in orders.
func Refs(store, code, customer model.Name) []dynamo.Ref {
	return []dynamo.Ref{Ref(store, code), useRef(store, code, customer)}
}

// Fault says why a code does not count.
type Fault string

// The faults. The wording has a text for each, under code.{fault}.
const (
	Unknown Fault = "unknown"
	Early   Fault = "early"
	Expired Fault = "expired"
	UsedUp  Fault = "used_up"
	Yours   Fault = "yours" // this customer has used it as often as one may
)

// In returns a code that a batch has read, and why it does not count on a day, yyyy-mm-dd by the store's clock; "" if
// it counts.
func In(found dynamo.Found, store, code, customer model.Name, day string) (c commercemodel.Code, f Fault, err error) {
	item := Ref(store, code).Found(found)
	if item == nil {
		return c, Unknown, nil
	}
	if err := dynamo.Unmarshal(item, &c); err != nil {
		return c, "", err
	}
	used := dynamo.Int(useRef(store, code, customer).Found(found), "used")
	switch {
	case c.Starts != "" && day < c.Starts:
		f = Early
	case c.Ends != "" && day > c.Ends:
		f = Expired
	case c.MaxUses != nil && c.Used >= *c.MaxUses:
		f = UsedUp
	case c.MaxPerCustomer != nil && used >= *c.MaxPerCustomer:
		f = Yours
	}
	return c, f, nil
}

// Use returns the writes by which a customer's order uses a code, for the transaction that makes the order. Their
// condition is that the code's terms are as they were read, and that a use is left.
func Use(c commercemodel.Code, customer model.Name) []dynamo.Write {
	of := dynamo.Update{
		Table: tables.Products, Key: keys.DiscountUse(c.StoreID, c.Code, customer), Do: "ADD used :one",
		If: dynamo.Unconditional, Values: dynamo.Item{":one": dynamo.N(1)}}
	if c.MaxPerCustomer != nil {
		of.If, of.Values[":most"] = "attribute_not_exists(used) OR used < :most", dynamo.N(*c.MaxPerCustomer)
	}
	return []dynamo.Write{
		dynamo.Update{
			Table: tables.Products, Key: keys.DiscountCode(c.StoreID, c.Code), Do: "ADD used :one",
			If:     "#version = :version AND (attribute_not_exists(max_uses) OR used < max_uses)",
			Values: dynamo.Item{":one": dynamo.N(1), ":version": dynamo.N(c.Version)}},
		of,
	}
}

// GiveBack gives back the use of an order that was cancelled, once, however often it is asked for. A code that was made
// anew under the same name gets nothing back.
func (c *Codes) GiveBack(ctx context.Context, order commercemodel.Order, done marks.Marks) error {
	if order.Code == nil || done.CodeReturned || order.Status != commercemodel.OrderCancelled {
		return nil
	}
	code := order.Code.Code
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		of := dynamo.Ref{Table: tables.Orders, Key: keys.Order(order.StoreID, order.ID)}
		refs := append(Refs(order.StoreID, code, order.CustomerID), of, marks.Ref(order.StoreID, order.ID))
		found, err := c.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		var now commercemodel.Order
		if err := dynamo.Unmarshal(of.Found(found), &now); err != nil || now.ID == "" {
			return err
		}
		if done, err := marks.In(found, now); err != nil || done.CodeReturned {
			return err
		}
		writes := []dynamo.Write{marks.MarkReturned(now), dynamo.Check{
			Table: tables.Orders, Key: of.Key, If: "attribute_exists(id) AND attribute_not_exists(code_returned)"}}
		if item := Ref(order.StoreID, code).Found(found); isUsed(item, *order.Code) {
			for _, ref := range Refs(order.StoreID, code, order.CustomerID) {
				if dynamo.Int(ref.Found(found), "used") > 0 {
					writes = append(writes, less(ref, ref.Found(found)))
				}
			}
		}
		return dynamo.Conflict(c.DB.Transact(ctx, writes))
	})
}

// isUsed reports whether a stored code is the one that an order has used, by when it was made; false for none. An order
// that does not know when takes the code of the name.
func isUsed(item dynamo.Item, by commercemodel.UsedCode) bool {
	return item != nil && (by.CreatedAt == "" || dynamo.Text(item, "created_at") == string(by.CreatedAt))
}

// less returns the write that takes one use off a count. Its condition is that the count is of the code that was read.
func less(ref dynamo.Ref, was dynamo.Item) dynamo.Update {
	u := dynamo.Update{
		Table: ref.Table, Key: ref.Key, Do: "ADD used :less",
		Values: dynamo.Item{":less": dynamo.N(-1), ":none": dynamo.N(0)}}
	u.If = dynamo.And("used > :none", dynamo.Same("created_at", was["created_at"], u.Values))
	return u
}

// Get returns a store's code, or dynamo.ErrNotFound.
func (c *Codes) Get(ctx context.Context, store, code model.Name) (found commercemodel.Code, err error) {
	return found, c.DB.Get(ctx, tables.Products, keys.DiscountCode(store, code), &found)
}

// Set makes or changes a code. version is that of the code that the caller has read, 0 for a new one. What was used of
// it stays. It returns ErrCode and ErrStale.
func (c *Codes) Set(ctx context.Context, store commercemodel.Store, code model.Name, version int64,
	set func(*commercemodel.Code)) (is commercemodel.Code, err error) {
	return is, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := c.Get(ctx, store.ID, code)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		is = was
		set(&is)
		if was.Version > 0 && dynamo.StoredAlike(was, is) {
			return nil // a repeated request
		}
		if was.Version != version {
			return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
				"The code has the version %d. Read it again.", was.Version)
		}
		if err := check(is); err != nil {
			return err
		}
		key := keys.DiscountCode(store.ID, code)
		is.PK, is.SK, is.StoreID, is.TenantID, is.Code = key.Partition, key.Sort, store.ID, store.TenantID, code
		is.UpdatedAt = model.At(c.Now())
		if was.Version == 0 {
			is.CreatedAt = is.UpdatedAt
		}
		put, err := dynamo.PutVersion(tables.Products, &is)
		if err != nil {
			return err
		}
		if was.Version > 0 {
			put.If = dynamo.And(put.If, dynamo.Same("used", dynamo.N(was.Used), put.Values))
		}
		return dynamo.Conflict(c.DB.Put(ctx, put))
	})
}

var hundred = decimal.NewFromInt(100)

// check returns ErrCode for terms that nobody can mean.
func check(c commercemodel.Code) error {
	d := c.Discount
	wrong := func(a *model.Amount) bool { return a != nil && (!a.IsPositive() || !a.Equal(a.Round(2))) }
	few := func(n *int64) bool { return n != nil && *n < 1 }
	switch {
	case (d.Percent == nil) == (d.Amount == nil):
		return problem.Wrong(ErrCode, "body.percent", "either percent or amount")
	case wrong(d.Amount):
		return problem.Wrong(ErrCode, "body.amount", "more than 0, with two decimals at most")
	case wrong(d.Percent) || d.Percent != nil && d.Percent.GreaterThan(hundred):
		return problem.Wrong(ErrCode, "body.percent", "more than 0, 100 at most, with two decimals at most")
	case d.From.IsNegative() || !d.From.Equal(d.From.Round(2)):
		return problem.Wrong(ErrCode, "body.from", "not negative, with two decimals at most")
	case c.Starts != "" && c.Ends != "" && c.Ends < c.Starts:
		return problem.Wrong(ErrCode, "body.ends", "before it starts")
	case few(c.MaxUses):
		return problem.Wrong(ErrCode, "body.maxUses", "1 at least")
	case few(c.MaxPerCustomer):
		return problem.Wrong(ErrCode, "body.maxPerCustomer", "1 at least")
	}
	return nil
}

// List returns up to limit codes of a store by their names, from after a place ("" for the first page), and the place
// of the next page; "" for none.
func (c *Codes) List(ctx context.Context, store model.Name, limit int,
	after string) (all []commercemodel.Code, next string, err error) {
	rows, next, err := c.DB.Some(ctx, of(store, keys.DiscountCodePrefix), limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list codes: %w", err)
	}
	if all, err = dynamo.Entities[commercemodel.Code](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

func of(store model.Name, prefix string) dynamo.Query {
	return dynamo.Query{
		Table: tables.Products, Where: "pk = :pk AND begins_with(sk, :of)",
		Values: dynamo.Item{":pk": dynamo.S(keys.StoreScope(store)), ":of": dynamo.S(prefix)}}
}

// Delete deletes a code, and then how often customers have used it. Orders keep what it took off them. One that is not
// there stays away.
func (c *Codes) Delete(ctx context.Context, store, code model.Name) error {
	if err := c.DB.Transact(ctx,
		[]dynamo.Write{dynamo.Delete{Table: tables.Products, Key: keys.DiscountCode(store, code)}}); err != nil {
		return err
	}
	q := of(store, keys.DiscountUsePrefix(code))
	for {
		page, err := c.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("uses of a code: %w", err)
		}
		for _, item := range page.Items {
			key := keys.DiscountCode(store, code)
			key.Sort = dynamo.Text(item, "sk")
			if err := c.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{Table: tables.Products, Key: key}}); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}
