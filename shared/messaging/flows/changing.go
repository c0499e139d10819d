package flows

import (
	"context"
	"errors"
	"net/http"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// have has Meta have a flow as it is wanted, and reads what Meta has then. What Meta has already it is not asked for.
func (r *request) have(ctx context.Context, f model.Flow) error {
	has, err := r.look(ctx, f.FlowID)
	if err != nil {
		return r.orGone(ctx, err)
	}
	call, asks := callFor(*f.Asked, has.o.Text("status"))
	if asks {
		if _, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(f.FlowID), call); err != nil {
			return err
		}
		if has, err = r.look(ctx, f.FlowID); err != nil {
			return err
		}
	}
	return r.settle(ctx, "", func(f *model.Flow) { has.fill(f, r.of.WABAID) })
}

// callFor returns the request by which Meta is asked for a wish, and reports whether it has to be asked. status is
// that which the flow has.
func callFor(a model.FlowAsked, status string) (call whatsapp.NumberCall, asks bool) {
	call = whatsapp.NumberCall{Method: http.MethodPost}
	switch a.Wish {
	case Publish:
		call.Edge = "publish"
		return call, status != "PUBLISHED" && status != "THROTTLED" && status != "BLOCKED"
	case Deprecate:
		call.Edge = "deprecate"
		return call, status != "DEPRECATED"
	case Change:
		body := map[string]any{}
		if a.Name != "" {
			body["name"] = a.Name
		}
		if len(a.Categories) > 0 {
			body["categories"] = a.Categories
		}
		if a.EndpointURI != "" {
			body["endpoint_uri"] = a.EndpointURI
		}
		call.Body = body
		return call, true
	}
	return call, false
}

// put has Meta take the JSON of a flow, and reads what Meta has then. A repetition does no harm.
func (r *request) put(ctx context.Context, f model.Flow) error {
	text, err := r.text(ctx, f.Asked.JSON)
	if err != nil {
		return err
	}
	answer, err := r.meta.PutFlow(ctx, string(r.of.PhoneNumberID), string(f.FlowID), []byte(text))
	if err != nil {
		return r.orGone(ctx, err)
	}
	has, err := r.look(ctx, f.FlowID)
	if err != nil {
		return err
	}
	return r.settle(ctx, "", func(f *model.Flow) {
		has.fill(f, r.of.WABAID)
		if answer.List("validation_errors") != nil {
			f.Faults = faultsOf(answer.List("validation_errors"))
		}
		f.JSON = f.Asked.JSON
	})
}

// delete has Meta delete a flow, and removes it. One that Meta has not created is only removed.
func (r *request) delete(ctx context.Context, f model.Flow) error {
	if !created(f.FlowID) {
		return r.removeAsked(ctx)
	}
	_, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(f.FlowID),
		whatsapp.NumberCall{Method: http.MethodDelete})
	if err != nil {
		if gone, lookErr := r.isGone(ctx); lookErr != nil || !gone {
			return err
		}
	}
	return r.removeAsked(ctx)
}

// removeAsked removes the flow that is asked about. The condition is that the answer is still waited for.
func (r *request) removeAsked(ctx context.Context) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var f model.Flow
		err := r.DB.Get(ctx, tables.Messages, keys.Flow(r.of.FlowID), &f)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(f.Asked, r.of) {
			return nil
		}
		if err != nil {
			return err
		}
		return r.remove(ctx, &f)
	})
}

// orGone answers that Meta does not have the flow any more, if that is why it has refused. Meta says the same of a
// flow that the token may not see, so the list of the account decides.
func (r *request) orGone(ctx context.Context, err error) error {
	var refused *whatsapp.SendError
	if !errors.As(err, &refused) || refused.Class == whatsapp.Retry {
		return err
	}
	if gone, lookErr := r.isGone(ctx); lookErr != nil || !gone {
		return err
	}
	return r.answer(ctx, problemGone)
}

// isGone reports whether Meta does not list the flow any more.
func (r *request) isGone(ctx context.Context) (bool, error) {
	id, whole, err := r.search(ctx, func(has found) bool { return has.id == r.of.FlowID })
	return id == "" && whole, err
}
