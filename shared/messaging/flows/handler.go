package flows

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

// Meta is asked with the access token of a number: metaclient.Numbers.
type Meta interface {
	AboutNode(ctx context.Context, phone, id string, call whatsapp.NumberCall) (whatsapp.Object, error)
	PutFlow(ctx context.Context, phone, id string, text []byte) (whatsapp.Object, error)
	Download(ctx context.Context, phone, url string, w io.Writer) error
}

// Files are read, put and deleted where the JSON of flows is kept: objects.Bucket.
type Files interface {
	Bucket
	Delete(ctx context.Context, key string) error
}

// What is stored of a request that Meta was not asked for, or that it has not done.
const (
	problemOther = "Meta has another flow of this name."
	problemGone  = "Meta does not have the flow any more."
	problemFile  = "The JSON that was to be put is not kept any more."
)

// request asks Meta with the access token of a number.
type request struct {
	*Flows
	meta  Meta
	files Files
	of    asked
}

// Handler returns the handler of the event. files keep the JSON of flows. asFailure says what the outbox does about a
// refusal.
func (s *Flows) Handler(meta Meta, files Files, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		r := &request{s, meta, files, of}
		err = r.carryOut(ctx, event.EcosystemID)
		if errors.Is(err, objects.ErrNone) {
			err = r.answer(ctx, problemFile)
		}
		// Meta is asked what it has before it is asked again.
		return "", asking.Ended(ctx, err, event, asFailure, r.answer)
	}}
}

func (r *request) carryOut(ctx context.Context, tenant model.TenantID) error {
	phone, err := r.Numbers.Number(ctx, r.of.PhoneNumberID)
	switch {
	case err != nil:
		return err
	case phone.TenantID != tenant:
		return r.answer(ctx, asking.ProblemMoved)
	case r.of.FlowID == "":
		return r.readAccount(ctx)
	}
	var f model.Flow
	err = r.DB.Get(ctx, tables.Messages, keys.Flow(r.of.FlowID), &f)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err == nil && !current(f.Asked, r.of) { // it is answered, or something else was asked since
		return r.clean(ctx, f)
	}
	if err != nil {
		return err
	}
	switch f.Asked.Wish {
	case Create:
		return r.create(ctx, f)
	case Delete:
		return r.delete(ctx, f)
	case Metrics:
		return r.count(ctx, f)
	case PutJSON:
		return r.put(ctx, f)
	case FetchJSON:
		return r.fetch(ctx)
	case Change, Publish, Deprecate, Preview:
		return r.have(ctx, f)
	}
	return asking.ErrUnknown
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(a *model.FlowAsked, of asked) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// answered returns a request with its answer.
func (s *Flows) answered(a model.FlowAsked, problem string) *model.FlowAsked {
	a.AnsweredAt, a.Problem, a.After, a.Read = model.At(s.Now()), problem, "", false
	return &a
}

// answer stores that a request was not done. The condition is that it is still waited for.
func (r *request) answer(ctx context.Context, problem string) error {
	if r.of.FlowID != "" {
		return r.settle(ctx, problem, func(*model.Flow) {})
	}
	return r.changeAccount(ctx, r.of.WABAID, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if !current(a.Flows, r.of) {
			return nil, false, nil
		}
		a.Flows = r.answered(*a.Flows, problem)
		return nil, true, nil
	})
}

// settle stores the answer of a request about a flow, and what follows from it. The JSON that nothing leads to any
// more is deleted then. The condition is that the answer is still waited for.
func (r *request) settle(ctx context.Context, problem string, follows func(f *model.Flow)) error {
	var after model.Flow
	err := r.change(ctx, r.of.FlowID, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		if after = *f; !current(f.Asked, r.of) {
			return nil, false, nil
		}
		had := []*model.FlowJSON{f.JSON, f.Asked.JSON}
		f.Asked = r.answered(*f.Asked, problem)
		follows(f)
		f.Unused = append(f.Unused, without(had, f.JSON)...)
		after = *f
		return nil, true, nil
	})
	if err != nil {
		return err
	}
	return r.clean(ctx, after)
}

// without returns the keys of the files that are not the one that is used.
func without(all []*model.FlowJSON, used *model.FlowJSON) (others []string) {
	for _, one := range all {
		if one != nil && (used == nil || one.Key != used.Key) {
			others = append(others, one.Key)
		}
	}
	return others
}

// clean deletes the files of a flow that nothing leads to any more. They are noted until they are gone. So an attempt
// that dies leaves none behind: the next one finds them.
func (r *request) clean(ctx context.Context, was model.Flow) error {
	if len(was.Unused) == 0 {
		return nil
	}
	for _, key := range was.Unused {
		if err := r.files.Delete(ctx, key); err != nil {
			return err
		}
	}
	return r.change(ctx, was.FlowID, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		left := slices.DeleteFunc(slices.Clone(f.Unused),
			func(key string) bool { return slices.Contains(was.Unused, key) })
		changed := f.Version > 0 && len(left) < len(f.Unused)
		f.Unused = left
		return nil, changed, nil
	})
}

// text returns the JSON that is to be put; "" for none.
func (r *request) text(ctx context.Context, put *model.FlowJSON) (string, error) {
	if put == nil {
		return "", nil
	}
	var text bytes.Buffer
	err := r.files.Get(ctx, put.Key, &text, flowcheck.MaxBytes)
	return text.String(), err
}
