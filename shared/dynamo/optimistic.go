package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// ErrPermanent is wrapped by errors that another try cannot mend.
var ErrPermanent = errors.New("cannot be used")

// ErrStuck is wrapped by the error of a write that cannot succeed as things are: the same state was read twice, and the
// same condition failed twice. The record is set aside at once, and tried again later.
var ErrStuck = errors.New("stuck: the same condition fails on the same state")

const (
	// MaxAttempts bounds optimistic-locking attempts: reads, a decision, and a write whose condition is what was read.
	MaxAttempts = 12
	// MaxCallerAttempts bounds them where somebody waits for the answer and nothing else tries again. It lets a hundred
	// sends into one conversation at once succeed, each within six seconds.
	MaxCallerAttempts = 32
)

// IgnoreConditionFailed returns nil for a condition that does not hold: then there is nothing to write.
func IgnoreConditionFailed(err error) error {
	if IsConditionFailed(err) {
		return nil
	}
	return err
}

// PutOnce puts an item unless its key holds one already. It is for items whose key names their content.
func (c *Client) PutOnce(ctx context.Context, table tables.Table, item Item) error {
	return IgnoreConditionFailed(c.Put(ctx, Put{Table: table, Item: item, If: IfAbsent}))
}

// AsPermanent returns one permanent error of all problems; nil if there is none.
func AsPermanent(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrPermanent, strings.Join(problems, "; "))
}

// Versioned is an item that is always written whole. Lock returns its version, the optimistic lock; 0 if it is not
// stored yet. It keeps the attributes that this release does not know.
type Versioned interface {
	Lock() *int64
	keeper
}

// Change reads an item, has decide change it, and puts it back. decide returns the writes that have to agree with it;
// they commit in one transaction. It returns false if nothing changes. The condition is that the item is as it was
// read; if not, everything is repeated.
func Change[T any, P interface {
	*T
	Versioned
}](ctx context.Context, c *Client, table tables.Table, key keys.Key, decide func(item P) (
	with []Write, changed bool, err error)) error {
	return Retry(ctx, MaxAttempts, func() error {
		item := P(new(T))
		if err := c.Get(ctx, table, key, item); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		with, changed, err := decide(item)
		if err != nil || !changed {
			return err
		}
		put, err := PutVersion(table, item)
		if err != nil {
			return err
		}
		if len(with) > 0 {
			return Conflict(c.Transact(ctx, append(with, put)))
		}
		return Conflict(c.Put(ctx, put))
	})
}

// capitalVersion is the version's name where a contract begins the names of attributes with a capital letter.
const capitalVersion = "Version"

// PutVersion returns the write of an item's next version. The condition is that the item still has the version that it
// was read with.
func PutVersion(table tables.Table, item Versioned) (Put, error) {
	lock := item.Lock()
	was := *lock
	*lock++
	attributes, err := Marshal(item)
	put := Put{Table: table, Item: attributes, If: "attribute_not_exists(#version)"}
	if _, capital := attributes[capitalVersion]; capital {
		put.Names = map[string]string{"#version": capitalVersion}
	}
	if was > 0 {
		put.If, put.Values = "#version = :was", Item{":was": N(was)}
	}
	return put, err
}
