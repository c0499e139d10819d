package groups

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// How people join a group by its link.
const (
	AutoApprove      = "auto_approve"
	ApprovalRequired = "approval_required"
)

const (
	looks     = time.Minute      // between two looks for a group that Meta makes
	lostAfter = 10 * time.Minute // from then on a person has to look
	skew      = time.Minute      // by which Meta's clock may differ
	kept      = 30 * 24 * time.Hour
)

// What is stored of a group that is not known to be made.
const (
	problemLost = "Meta has not told of the group. It may have made it: look for it there before you ask again."
	problemMany = "Meta has several new groups of this name. One of them may be this one: look at them there."
)

// New is a group that is to be made.
type New struct {
	Name, Description, JoinApprovalMode, By string
}

// Create has Meta asked for a group. The group has the id of the request until Meta names it. A repeated request gets
// the group that the first one has asked for. It returns idempotency.ErrKeyReused and ErrNoAccount. The condition is
// that there is no such request.
func (s *Groups) Create(ctx context.Context, number model.Phone, wanted New,
	request idempotency.Request) (after model.Group, err error) {
	if number.WABAMetaID == "" {
		return after, ErrNoAccount
	}
	id := model.Name(request.ID())
	err = s.change(ctx, id, func(g *model.Group) ([]dynamo.Write, bool, error) {
		if after = *g; g.Version > 0 {
			if g.Name != wanted.Name || g.Description != wanted.Description ||
				g.JoinApprovalMode != wanted.JoinApprovalMode {
				return nil, false, idempotency.ErrKeyReused
			}
			return nil, false, nil
		}
		now := model.At(s.Now())
		*g = model.Group{
			PK: keys.Group(id).Partition, ItemType: model.ItemGroup, GroupID: string(id),
			WABAMetaID: number.WABAMetaID, PhoneNumberID: number.PhoneNumberID,
			Name: wanted.Name, Description: wanted.Description, JoinApprovalMode: wanted.JoinApprovalMode,
			State: model.GroupCreating, UpdatedAt: now,
			Asked: &model.GroupAsked{Wish: Create, At: now, By: wanted.By},
		}
		after = *g
		writes, err := s.queue(ctx, number.TenantID, g)
		return writes, true, err
	})
	return after, err
}

// expires returns when a request for a group is forgotten that ends now.
func (s *Groups) expires() int64 { return s.Now().Add(kept).Unix() }

// create asks Meta for the group once, and then looks for it until it is there.
func (r *request) create(ctx context.Context) error {
	posted, err := r.begin(ctx)
	if err != nil {
		return done(err)
	}
	if posted {
		return r.find(ctx)
	}
	body := map[string]string{
		product: "whatsapp", "subject": r.g.Name, "join_approval_mode": r.g.JoinApprovalMode}
	if r.g.Description != "" {
		body["description"] = r.g.Description
	}
	answer, err := r.meta.AboutNumber(ctx, string(r.of.PhoneNumberID),
		whatsapp.NumberCall{Method: http.MethodPost, Edge: "groups", Body: body})
	if refused(err) {
		// It is not made, so Meta can be asked again.
		return errors.Join(err, done(r.note(ctx, func(_ *model.Group, a *model.GroupAsked) { a.PostedAt = "" })))
	}
	if err == nil {
		err = done(r.note(ctx, func(g *model.Group, _ *model.GroupAsked) {
			g.RequestID = model.Truncate(answer.Text("request_id"), maxText)
		}))
	}
	if err != nil {
		return err
	}
	return &outbox.Later{At: model.At(r.Now().Add(looks))}
}

// refused reports whether Meta has said that it does not do what it was asked.
func refused(err error) bool {
	var e *whatsapp.SendError
	if !errors.As(err, &e) {
		return false
	}
	_, said := e.Code()
	return said && !e.Ambiguous && e.HTTP >= http.StatusBadRequest && e.HTTP < http.StatusInternalServerError
}

// find looks for the group that Meta was asked for: one that it has told of as the request's, or the only new one of
// the name that is nobody else's.
func (r *request) find(ctx context.Context) error {
	known, err := r.all(ctx, r.of.PhoneNumberID)
	if err != nil {
		return err
	}
	for _, g := range known {
		if r.g.RequestID != "" && g.RequestID == r.g.RequestID && g.GroupID != r.g.GroupID {
			return r.became(ctx, model.Name(g.GroupID))
		}
	}
	listed, err := r.listed(ctx)
	if err != nil {
		return err
	}
	since := model.At(r.g.Asked.PostedAt.Go().Add(-skew).Truncate(time.Second))
	candidates := slices.DeleteFunc(listed, func(l listing) bool {
		return l.name != r.g.Name || l.at < since || slices.ContainsFunc(known, func(g model.Group) bool {
			return string(l.id) == g.GroupID && g.RequestID != "" || l.id == g.BecameID && g.GroupID != r.g.GroupID
		})
	})
	late := r.Now().Sub(r.g.Asked.PostedAt.Go()) > lostAfter
	switch {
	case len(candidates) == 1:
		c := change{at: r.now(), state: model.GroupActive, created: true, name: &candidates[0].name,
			requestID: r.g.RequestID}
		if err := r.apply(ctx, r.g.PhoneNumberID, r.g.WABAMetaID, candidates[0].id, c); err != nil {
			return err
		}
		return r.became(ctx, candidates[0].id)
	case len(candidates) > 1:
		return r.settle(ctx, problemMany, nil)
	case late:
		return r.settle(ctx, problemLost, nil)
	}
	return &outbox.Later{At: model.At(r.Now().Add(looks))}
}

// became notes which group Meta has made.
func (r *request) became(ctx context.Context, id model.Name) error {
	return r.settle(ctx, "", func(g *model.Group) { r.end(g, id) })
}

// end ends a request for a group that Meta has made.
func (s *Groups) end(g *model.Group, id model.Name) {
	g.BecameID, g.State, g.TTL = id, model.GroupActive, s.expires()
}

// told notes what Meta tells of a group that it was asked for: that it is made, or why it is not.
func (s *Groups) told(ctx context.Context, phone model.PhoneNumberID, told whatsapp.Object, c change,
	id model.Name) error {
	if told.Text("type") != "group_create" || len(c.removed) > 0 {
		return nil
	}
	all, err := s.all(ctx, phone)
	if err != nil {
		return err
	}
	of := slices.IndexFunc(all, func(g model.Group) bool {
		return waits(g) && g.RequestID != "" && g.RequestID == c.requestID
	})
	if of < 0 {
		nameless := slices.DeleteFunc(all, func(g model.Group) bool { return !waits(g) || !mayBe(g, told, c) })
		if len(nameless) != 1 {
			return nil // it is nobody's here, or nobody knows whose it is: the next look tells
		}
		all, of = nameless, 0
	}
	return s.change(ctx, model.Name(all[of].GroupID), func(g *model.Group) ([]dynamo.Write, bool, error) {
		if !waits(*g) {
			return nil, false, nil
		}
		a := *g.Asked
		a.AnsweredAt, a.Problem = model.At(s.Now()), problemIn(told)
		if g.Asked = &a; id != "" {
			s.end(g, id)
		} else {
			g.State, g.TTL = model.GroupFailed, s.expires()
		}
		return nil, true, nil
	})
}

// waits reports whether a group was asked for and is not known to be made.
func waits(g model.Group) bool {
	return g.Asked != nil && g.Asked.Wish == Create && g.BecameID == "" &&
		(g.State == model.GroupCreating || g.State == model.GroupFailed)
}

// mayBe reports whether Meta may tell of a group whose request got no answer: one of its name that is made later.
func mayBe(g model.Group, told whatsapp.Object, c change) bool {
	return g.RequestID == "" && g.Asked.PostedAt != "" && g.Name == told.Text("subject") &&
		c.at.At().Go().After(g.Asked.PostedAt.Go().Add(-skew))
}
