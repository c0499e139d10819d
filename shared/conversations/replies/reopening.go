package replies

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// reopenTime is how long after its end a conversation that has expired takes a reply that quotes nothing. Who writes
// later more likely means something else.
const reopenTime = 30 * 24 * time.Hour

// expired returns the newest conversation with the person that has expired, for a message that belongs to no open one:
// a person who answers late answers what they were asked last. candidates are as the index shows them, which may be
// behind.
func (a arrived) expired(ctx context.Context, candidates []conversationsmodel.Conversation,
	person model.CustomerID) (c conversationsmodel.Conversation, is bool, err error) {
	candidates = slices.Clone(candidates)
	sorting.Func(candidates, func(x, y conversationsmodel.Conversation) int {
		return cmp.Compare(y.CreatedAt, x.CreatedAt)
	})
	for _, candidate := range candidates {
		if !candidate.Status.MayGoOn() {
			continue
		}
		c, err = a.Talks.Get(ctx, candidate.Key())
		if errors.Is(err, dynamo.ErrNotFound) {
			continue
		}
		if err != nil {
			return c, false, err
		}
		late := a.At.Go().Sub(c.UpdatedAt.Go())
		if c.Status != conversationsmodel.Expired || late > reopenTime || a.early(c) {
			continue
		}
		if is, err = a.theirs(ctx, c, person); err != nil || is {
			return c, is, err
		}
	}
	return conversationsmodel.Conversation{}, false, nil
}
