package groups

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// request asks Meta about a group with the access token of its number.
type request struct {
	*Groups
	meta  Meta
	files Files
	of    asked
	g     model.Group // as it was read
}

// wishes say how each wish is carried out, but for Create.
var wishes = map[string]func(r *request, ctx context.Context) error{
	LookUp:    (*request).lookUp,
	Change:    (*request).changeIt,
	Picture:   (*request).putPicture,
	ResetLink: (*request).resetLink,
	Approve: func(r *request, ctx context.Context) error {
		return r.decide(ctx, http.MethodPost, "approved_join_requests")
	},
	Reject: func(r *request, ctx context.Context) error {
		return r.decide(ctx, http.MethodDelete, "rejected_join_requests")
	},
	Remove: (*request).remove,
	Delete: (*request).deleteIt,
}

// carryOut has Meta do what is asked. A group that Meta does not have any more is deleted.
func (r *request) carryOut(ctx context.Context, tenant model.TenantID) error {
	phone, err := r.Numbers.Number(ctx, r.of.PhoneNumberID)
	switch {
	case err != nil && !errors.Is(err, dynamo.ErrNotFound):
		return err
	case phone.TenantID != tenant:
		return r.settle(ctx, asking.ProblemMoved, nil)
	case r.g.Asked.Wish == Create:
		return r.create(ctx)
	case wishes[r.g.Asked.Wish] == nil:
		return asking.ErrUnknown
	}
	err = wishes[r.g.Asked.Wish](r, ctx)
	if gone, also := r.isGone(ctx, err); also != nil || !gone {
		return errors.Join(err, also)
	}
	why := problemGone
	if r.g.Asked.Wish == Delete || r.g.Asked.Wish == LookUp {
		why = ""
	}
	at := r.now()
	return r.settle(ctx, why, func(g *model.Group) { apply(g, change{at: at, state: model.GroupDeleted}) })
}

// codeUnknown is Meta's code of a group that is not there, or of which the number is no member. Meta answers codeObject
// about an object that is not there, and about one that the token may not see.
const (
	codeUnknown = 131041
	codeObject  = 100
)

// isGone reports whether Meta has refused a request because it does not have the group: it does not list it, either.
func (r *request) isGone(ctx context.Context, err error) (bool, error) {
	var refused *whatsapp.SendError
	if !errors.As(err, &refused) || refused.Meta.Code != codeUnknown &&
		(refused.Meta.Code != codeObject || refused.Class != whatsapp.StopSender) {
		return false, nil
	}
	listed, err := r.listed(ctx)
	return err == nil && !slices.ContainsFunc(listed, func(l listing) bool { return l.id == r.of.GroupID }), err
}

// ask asks Meta about the group.
func (r *request) ask(ctx context.Context, call whatsapp.NumberCall) (whatsapp.Object, error) {
	return r.meta.AboutGroup(ctx, string(r.of.PhoneNumberID), string(r.of.GroupID), call)
}

// now returns the place of what Meta says now.
func (r *request) now() model.Order {
	at := model.At(r.Now())
	return model.OrderOf(at, model.Arrival(at, 0, 0))
}

// note changes what is noted of a request that is still waited for. It returns errElsewhere for one that is not.
func (r *request) note(ctx context.Context, do func(g *model.Group, a *model.GroupAsked)) error {
	elsewhere := false
	err := r.change(ctx, r.of.GroupID, func(g *model.Group) ([]dynamo.Write, bool, error) {
		if elsewhere = !current(g.Asked, r.of); elsewhere {
			return nil, false, nil
		}
		noted := *g.Asked
		g.Asked = &noted
		do(g, &noted)
		r.g = *g
		return nil, true, nil
	})
	if err == nil && elsewhere {
		return errElsewhere
	}
	return err
}

// errElsewhere ends an attempt about something that is answered already.
var errElsewhere = errors.New("it is answered already")

// begin notes that Meta is asked from now on. posted reports whether it was before: nobody knows that answer.
func (r *request) begin(ctx context.Context) (posted bool, err error) {
	if r.g.Asked.PostedAt != "" {
		return true, nil
	}
	return false, r.note(ctx, func(_ *model.Group, a *model.GroupAsked) { a.PostedAt = model.At(r.Now()) })
}

// settle stores the answer of a request, and what follows from it. One that is answered already stays.
func (r *request) settle(ctx context.Context, problem string, follows func(g *model.Group)) error {
	err := r.note(ctx, func(g *model.Group, a *model.GroupAsked) {
		a.AnsweredAt, a.Problem = model.At(r.Now()), problem
		if a.Wish == Create && g.BecameID == "" && problem != "" {
			g.State, g.TTL = model.GroupFailed, r.expires()
		}
		if follows != nil {
			follows(g)
		}
	})
	if errors.Is(err, errElsewhere) {
		return nil
	}
	return err
}

// answered settles a request by Meta's answer. Meta names what it has not done.
func (r *request) answered(ctx context.Context, answer whatsapp.Object, follows func(g *model.Group)) error {
	return r.settle(ctx, problemIn(answer), func(g *model.Group) {
		g.Asked.RequestID = model.Truncate(answer.Text("request_id"), maxText)
		if follows != nil {
			follows(g)
		}
	})
}

// problemIn returns what stood in the way, in Meta's words; "" for nothing.
func problemIn(told whatsapp.Object) string {
	errs := whatsapp.DecodeErrors(told.List("errors"))
	for _, name := range []string{"failed_join_requests", "failed_participants"} {
		for _, failed := range told.List(name).Objects() {
			errs = append(errs, whatsapp.DecodeErrors(failed.List("errors"))...)
		}
	}
	for _, name := range []string{"group_subject", "group_description", "profile_picture"} {
		errs = append(errs, whatsapp.DecodeErrors(told.Object(name).List("errors"))...)
	}
	var words []string
	for _, e := range errs {
		if said := (&whatsapp.SendError{Meta: e}).Error(); !slices.Contains(words, said) {
			words = append(words, said)
		}
	}
	return model.Truncate(strings.Join(words, "; "), maxText)
}
