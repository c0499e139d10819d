// Package flows keeps the flows of accounts: the forms that customers fill in within a chat. Meta has all of it, and
// is asked for each change. The status of a flow is what Meta says of it: in an answer, when it is read, and by
// webhooks.
package flows

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

// Kept is the beginning of the keys of objects that are the JSON of flows. Their pictures are in the JSON, so it may
// be larger than an item.
const Kept = "flows/"

// The refusals.
var (
	ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
		Class: problem.Conflict, Code: "flow-waits", Title: "Another request is under way",
		Detail: "Meta is being asked about the flow already. Try again when that is answered.",
	})
	ErrExists = problem.New("the flow exists", problem.Error{
		Class: problem.Conflict, Code: "flow-exists", Title: "The flow exists",
		Detail: "The account has a flow of this name. Change it, or choose another name.",
	})
	ErrNotCreated = problem.New("Meta has not created the flow", problem.Error{
		Class: problem.Conflict, Code: "flow-not-created", Title: "Meta has not created the flow",
		Detail: "Meta does not have the flow. `asked` says why. Create it again, or delete it.",
	})
	ErrNoJSON = problem.New("a flow without JSON cannot be published", problem.Error{
		Class: problem.Invalid, Field: "body.publish", Detail: "needs the JSON of the flow",
	})
	ErrSpan = problem.New("the time ends before it begins", problem.Error{
		Class: problem.Invalid, Field: "body.to", Detail: "must not be before from",
	})
	ErrClone = problem.New("there is no such flow to clone", problem.Error{
		Class: problem.Invalid, Field: "body.cloneFlowId", Detail: "must be a flow of the same account",
	})
)

// Bucket keeps the JSON of flows: objects.Bucket.
type Bucket interface {
	Get(ctx context.Context, key string, w io.Writer, most int64) error
	Put(ctx context.Context, o objects.Object) error
}

// Flows keeps the flows.
type Flows struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
	Log     *webhooklog.Log
}

// Get returns a flow, or dynamo.ErrNotFound. The id that a flow had before Meta created it leads to the flow.
func (s *Flows) Get(ctx context.Context, id model.Name) (f model.Flow, err error) {
	err = s.DB.Get(ctx, tables.Messages, keys.Flow(id), &f)
	if err != nil || f.Became == "" {
		return f, err
	}
	var became model.Flow
	return became, s.DB.Get(ctx, tables.Messages, keys.Flow(f.Became), &became)
}

// List returns up to limit flows of an account from after a place ("" for the first page), and the place of the next
// page; "" for none. It may take a moment until a new one shows.
func (s *Flows) List(ctx context.Context, waba model.WABAID, limit int, after string) (all []model.Flow, next string,
	err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :waba AND itemType = :type",
		Values: dynamo.Item{":waba": dynamo.S(waba), ":type": dynamo.S(model.ItemFlow)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Flow](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list flows: %w", err)
	}
	return all, next, nil
}

// OfAccount returns when the flows of an account were asked for, and the answer; nil for never.
func (s *Flows) OfAccount(ctx context.Context, waba model.WABAID) (*model.FlowAsked, error) {
	var a model.Account
	err := s.DB.Get(ctx, tables.Messages, keys.Account(waba), &a)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return a.Flows, err
}

// ReadJSON writes the JSON of a flow that was put last, and that Meta has taken, to w. It returns dynamo.ErrNotFound
// if none was.
func (s *Flows) ReadJSON(ctx context.Context, files Bucket, f model.Flow, w io.Writer) error {
	if f.JSON == nil {
		return dynamo.ErrNotFound
	}
	return files.Get(ctx, f.JSON.Key, w, flowcheck.MaxBytes)
}

// created reports whether an id is Meta's.
func created(id model.Name) bool { return !strings.HasPrefix(string(id), keys.NewFlowPrefix) }

// underWay reports whether Meta is being asked.
func (s *Flows) underWay(a *model.FlowAsked) bool {
	return a != nil && asking.Waits(a.At, a.AnsweredAt, s.Now())
}

// change changes a flow, or makes one. The condition is that it is as it was read.
func (s *Flows) change(ctx context.Context, id model.Name,
	decide func(f *model.Flow) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Flow(id), decide)
}

// changeAccount changes what is known of an account. The condition is that it is as it was read.
func (s *Flows) changeAccount(ctx context.Context, waba model.WABAID,
	decide func(a *model.Account) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Account(waba), decide)
}
