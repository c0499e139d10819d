package groups

import (
	"context"
	"errors"
	"reflect"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta about a group.
const EventAsk = "groups.ask"

// What Meta is asked for.
const (
	Create    = "create"
	LookUp    = "look_up" // what Meta has of it: names, people, the invite link, and who asks to join
	Change    = "change"  // its name or its description
	Picture   = "picture" // its picture
	ResetLink = "reset_link"
	Approve   = "approve" // those who ask to join
	Reject    = "reject"  // those who ask to join
	Remove    = "remove"  // people
	Delete    = "delete"
)

// The refusals.
var (
	ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
		Class: problem.Conflict, Code: "group-waits", Title: "Another request is under way",
		Detail: "Meta is being asked about the group already. Try again when that is answered.",
	})
	ErrNotMade = problem.New("the group is not made", problem.Error{
		Class: problem.Conflict, Code: "group-not-made", Title: "The group is not there yet",
		Detail: "Meta has not made the group. If it has by now, becameId names it.",
	})
	ErrDeleted = problem.New("the group is deleted", problem.Error{
		Class: problem.Conflict, Code: "group-deleted", Title: "The group is deleted",
		Detail: "Meta does not have the group any more.",
	})
	ErrNothing = problem.New("nothing is asked for", problem.Error{
		Class: problem.Invalid, Field: "body",
		Detail: "must name what is to change: a name or a description, people by numbers or user ids, or requests",
	})
	ErrNoAccount = problem.New("the account of the number is not known", problem.Error{
		Class: problem.Conflict, Code: "number-without-account", Title: "The number's account is not known",
		Detail: "A number has groups when its WhatsApp Business Account is known: it is with the first message.",
	})
)

// problemGone is stored of a request about a group that Meta does not have.
const problemGone = "Meta does not have the group any more."

// asked is the payload of the event. It names no person.
type asked struct {
	GroupID       model.Name          `json:"groupId"` // Meta's, or haatline's of one that is to be made
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number.
type Meta interface {
	AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error)
	AboutGroup(ctx context.Context, phone, id string, call whatsapp.NumberCall) (whatsapp.Object, error)
	PutGroupPicture(ctx context.Context, phone, id string, picture []byte) (whatsapp.Object, error)
}

// Ask has Meta asked about a group of a tenant's. wanted says what, and who asks for it. The same that is under way is
// not asked for again. It returns dynamo.ErrNotFound, ErrNothing, ErrWaits, ErrNotMade and ErrDeleted. The condition is
// that the group is as it was read.
func (s *Groups) Ask(ctx context.Context, tenant model.TenantID, id model.Name,
	wanted model.GroupAsked) (after model.Group, err error) {
	if isEmpty(wanted) {
		return after, ErrNothing
	}
	err = s.change(ctx, id, func(g *model.Group) ([]dynamo.Write, bool, error) {
		waits := s.underWay(g.Asked)
		switch {
		case g.Version == 0:
			return nil, false, dynamo.ErrNotFound
		case g.State == model.GroupCreating || g.State == model.GroupFailed || g.BecameID != "":
			return nil, false, ErrNotMade
		case waits && same(*g.Asked, wanted):
			after = *g
			return nil, false, nil
		case waits:
			return nil, false, ErrWaits
		case g.State == model.GroupDeleted && wanted.Wish != LookUp:
			return nil, false, ErrDeleted
		}
		wanted.At = model.At(s.Now())
		g.Asked = &wanted
		after = *g
		writes, err := s.queue(ctx, tenant, g)
		return writes, true, err
	})
	return after, err
}

// isEmpty reports whether a request names nothing of what it is about.
func isEmpty(a model.GroupAsked) bool {
	switch a.Wish {
	case Change:
		return a.Name == nil && a.Description == nil
	case Picture:
		return a.Picture == ""
	case Remove:
		return len(a.People) == 0
	case Approve, Reject:
		return len(a.JoinRequests) == 0
	}
	return false
}

// same reports whether two requests ask for the same.
func same(a, b model.GroupAsked) bool {
	for _, asked := range []*model.GroupAsked{&a, &b} {
		asked.At, asked.By, asked.Link, asked.PostedAt, asked.RequestID = "", "", "", "", ""
	}
	return reflect.DeepEqual(a, b)
}

// queue returns the writes by which Meta is asked what a group notes.
func (s *Groups) queue(ctx context.Context, tenant model.TenantID, g *model.Group) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, outbox.Entity{Tenant: tenant, Type: keys.EntityGroup, ID: g.GroupID}, EventAsk,
		asked{model.Name(g.GroupID), g.PhoneNumberID, g.Asked.At})
}

// underWay reports whether Meta is being asked.
func (s *Groups) underWay(a *model.GroupAsked) bool {
	return a != nil && asking.Waits(a.At, a.AnsweredAt, s.Now())
}

// change changes a group. The condition is that it is as it was read.
func (s *Groups) change(ctx context.Context, id model.Name,
	decide func(g *model.Group) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Group(id), decide)
}

// Handler returns the handler of the event. files are those that were uploaded to haatline. asFailure says what the
// outbox does about a refusal.
func (s *Groups) Handler(meta Meta, files Files, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		g, err := s.Get(ctx, of.GroupID)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(g.Asked, of) {
			return "", nil // it is answered, or something else was asked since
		}
		r := &request{s, meta, files, of, g}
		if err == nil {
			err = r.carryOut(ctx, event.EcosystemID)
		}
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return r.settle(ctx, reason, nil)
		})
	}}
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(a *model.GroupAsked, of asked) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}
