package messagingapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
)

// read puts an operation that changes nothing on the API. What it returns as an error is turned into a problem in one place.
func read[I, O any](o *operations, api huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	if op.Method != http.MethodGet {
		panic(op.OperationID + " changes something, and would leave no audit record")
	}
	put(o, api, op, handle)
}

// subject is what a change is about, for its audit record.
type subject struct {
	tenant model.TenantID
	target audit.Target
	reason string // that the person gives; "" where none is asked for
}

// change puts an operation that changes something on the API. find looks for what the request is about, and refuses what the
// caller may not touch. Then the audit record is put, and then the change is made: a change without a record cannot be. A
// record says what was asked for; one of a change that was refused, or broke off, stays.
func change[I, T, O any](
	o *operations, api huma.API, op huma.Operation,
	find func(context.Context, *I) (T, subject, error), make func(context.Context, *I, T) (*O, error),
) {
	put(o, api, op, func(ctx context.Context, in *I) (*O, error) {
		found, about, err := find(ctx, in)
		if err != nil {
			return nil, err
		}
		if about.target != (audit.Target{}) { // else the change keeps a record of its own
			by, err := o.actor(ctx)
			if err != nil {
				return nil, err
			}
			if err := o.audit.RecordRequest(ctx, audit.Draft{Action: op.OperationID, Target: about.target, Tenant: about.tenant, By: by, Reason: about.reason}); err != nil {
				return nil, err
			}
		}
		out, err := make(ctx, in, found)
		if err == nil {
			o.log.InfoContext(ctx, "done", "operation", op.OperationID)
		}
		return out, err
	})
}

func put[I, O any](o *operations, api huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Errors = append([]int{http.StatusUnauthorized, http.StatusForbidden}, op.Errors...)
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, o.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

// actor returns the caller, for an audit record: with the e-mail address that the directory has of them, because the user name
// in a token of Cognito is a number that says nothing once the account is gone.
func (o *operations) actor(ctx context.Context) (audit.Actor, error) {
	c := httpapi.CallerOf(ctx)
	known, err := o.people.Find(ctx, c.Subject)
	if err != nil {
		return audit.Actor{}, err
	}
	name := cmp.Or(known[c.Subject].Email, known[c.Subject].Name, c.Username)
	return audit.Actor{Subject: c.Subject, Name: name, RequestID: c.RequestID, IP: c.IP, UserAgent: c.UserAgent}, nil
}
