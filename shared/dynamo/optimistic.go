package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// ErrPermanent is wrapped by errors that another try cannot mend.
var ErrPermanent = errors.New("cannot be used")

// ErrStuck is wrapped by the error of a write that cannot succeed as things are: the same state was read twice, and the same
// condition failed twice. The record is set aside at once, and tried again later.
var ErrStuck = errors.New("stuck: the same condition fails on the same state")

const (
	// MaxAttempts bounds optimistic-locking attempts: reads, a decision, and a write whose condition is what was read.
	MaxAttempts = 12
	// MaxCallerAttempts bounds them where somebody waits for the answer and nothing else tries again. It lets a hundred sends
	// into one conversation at once succeed, each within six seconds.
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

// AsPermanent returns one permanent error of all problems; nil where there is none.
func AsPermanent(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrPermanent, strings.Join(problems, "; "))
}
