// Package operations registers operations of the operators' API: those that read, and those that change something and
// leave an audit record. It does what all operations share, so that a domain's API contains only what is its own.
package operations

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/people"
)

// Registry is what operations are registered with.
type Registry struct {
	API    huma.API
	Audit  *audit.Log
	People *people.Directory
	Log    *slog.Logger
}

// Read registers an operation that changes nothing. It panics if the operation's method is not GET.
func Read[I, O any](r *Registry, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	if op.Method != http.MethodGet {
		panic(op.OperationID + " changes something, and would leave no audit record")
	}
	put(r, op, handle)
}

// Subject is what a change is about, for its audit record. If Target is empty, Change stores no record, because the
// change itself does.
type Subject struct {
	Tenant model.TenantID
	Target audit.Target
	Reason string // that the person gives; "" if none is asked for
}

// Change registers an operation that changes something. find resolves what the request is about, and returns an error
// if the caller may not change it. make changes it. The audit record is stored before make runs, so that there is no
// change without a record. It records the request, and stays if the change fails.
func Change[I, T, O any](
	r *Registry, op huma.Operation, find func(context.Context, *I) (T, Subject, error),
	make func(context.Context, *I, T) (*O, error),
) {
	put(r, op, func(ctx context.Context, in *I) (*O, error) {
		found, about, err := find(ctx, in)
		if err != nil {
			return nil, err
		}
		if about.Target != (audit.Target{}) {
			by, err := r.Actor(ctx)
			if err != nil {
				return nil, err
			}
			draft := audit.Draft{
				Action: op.OperationID, Target: about.Target, Tenant: about.Tenant, By: by, Reason: about.Reason}
			if err := r.Audit.RecordRequest(ctx, draft); err != nil {
				return nil, err
			}
		}
		out, err := make(ctx, in, found)
		if err == nil {
			r.Log.InfoContext(ctx, "done", "operation", op.OperationID)
		}
		return out, err
	})
}

func put[I, O any](r *Registry, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Errors = append([]int{http.StatusUnauthorized, http.StatusForbidden}, op.Errors...)
	httpapi.Register(r.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err == nil {
			err = sealCursor(ctx, out)
		}
		if err != nil {
			return nil, r.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

// sealCursor seals the cursor of an answer that is a page, whatever the operation: no list can forget it.
func sealCursor(ctx context.Context, out any) error {
	answer := reflect.Indirect(reflect.ValueOf(out))
	if answer.Kind() != reflect.Struct {
		return nil
	}
	body := answer.FieldByName("Body")
	if body.Kind() != reflect.Struct {
		return nil
	}
	cursor := body.FieldByName("Cursor")
	if cursor.Kind() != reflect.String {
		return nil
	}
	sealed, err := httpapi.Seal(ctx, cursor.String())
	if err == nil {
		cursor.SetString(sealed)
	}
	return err
}

// problem returns what a caller is told about an error. An error that does not say so itself is logged here, once, and
// told as a fixed text.
func (r *Registry) problem(ctx context.Context, operation string, err error) error {
	if told := httpapi.Problem(err); told != nil {
		return told
	}
	r.Log.ErrorContext(ctx, "operation failed", "operation", operation, "error", err)
	if dynamo.Unavailable(err) {
		return httpapi.Unavailable()
	}
	return huma.NewError(http.StatusInternalServerError, "Something went wrong on our side. Try again.")
}

// Actor returns the caller for an audit record, with the e-mail address that the directory has, because the user name
// in a token of Cognito is a number that says nothing once the account is gone.
func (r *Registry) Actor(ctx context.Context) (audit.Actor, error) {
	c := httpapi.CallerOf(ctx)
	known, err := r.People.Find(ctx, c.Subject)
	if err != nil {
		return audit.Actor{}, err
	}
	name := cmp.Or(known[c.Subject].Email, known[c.Subject].Name, c.Username)
	return audit.Actor{Subject: c.Subject, Name: name, RequestID: c.RequestID, IP: c.IP, UserAgent: c.UserAgent}, nil
}
