package groups

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// product names WhatsApp in the body of a request.
const product = "messaging_product"

// changeIt gives a group another name or description. Meta may be asked twice: the result is the same.
func (r *request) changeIt(ctx context.Context) error {
	body := map[string]string{product: "whatsapp"}
	for name, text := range map[string]*string{"subject": r.g.Asked.Name, "description": r.g.Asked.Description} {
		if text != nil {
			body[name] = *text
		}
	}
	answer, err := r.ask(ctx, whatsapp.NumberCall{Method: http.MethodPost, Body: body})
	if err != nil {
		return err
	}
	return r.answered(ctx, answer, nil)
}

// resetLink has Meta make another invite link. If nobody knows whether it has, the link tells.
func (r *request) resetLink(ctx context.Context) error {
	const edge = "invite_link"
	answer, err := r.ask(ctx, whatsapp.NumberCall{Edge: edge})
	if err != nil {
		return err
	}
	if link := answer.Text(edge); r.g.Asked.PostedAt == "" {
		err = r.note(ctx, func(_ *model.Group, a *model.GroupAsked) { a.Link, a.PostedAt = link, model.At(r.Now()) })
		if err != nil {
			return done(err)
		}
	}
	if answer.Text(edge) == r.g.Asked.Link {
		answer, err = r.ask(ctx, whatsapp.NumberCall{Method: http.MethodPost, Edge: edge,
			Body: map[string]string{product: "whatsapp"}})
		if err != nil {
			return err
		}
	}
	at := r.now()
	return r.answered(ctx, answer, func(g *model.Group) { apply(g, change{at: at, inviteLink: answer.Text(edge)}) })
}

// decide approves or rejects those who ask to join. Who does not ask any more at Meta was answered before.
func (r *request) decide(ctx context.Context, method, decided string) error {
	const edge = "join_requests"
	ids := r.g.Asked.JoinRequests
	posted, err := r.begin(ctx)
	if err != nil {
		return done(err)
	}
	var answered []string
	if posted {
		open, err := r.requested(ctx)
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id model.Name) bool {
			isOpen := slices.ContainsFunc(open, func(j model.JoinRequest) bool { return j.ID == id })
			if !isOpen {
				answered = append(answered, string(id))
			}
			return !isOpen
		})
	}
	var answer whatsapp.Object
	if len(ids) > 0 {
		answer, err = r.ask(ctx, whatsapp.NumberCall{Method: method, Edge: edge,
			Body: map[string]any{product: "whatsapp", edge: ids}})
		if err != nil {
			return err
		}
	}
	answered = append(answered, answer.List(decided).Texts()...)
	at := r.now()
	return r.answered(ctx, answer, func(g *model.Group) {
		apply(g, change{at: at, answered: answered})
	})
}

// remove removes people. Who is not in the group any more was removed before.
func (r *request) remove(ctx context.Context) error {
	people := r.g.Asked.People
	posted, err := r.begin(ctx)
	if err != nil {
		return done(err)
	}
	if posted {
		answer, err := r.ask(ctx, whatsapp.NumberCall{Query: url.Values{"fields": {"participants"}}})
		if err != nil {
			return err
		}
		in := participants(answer.List("participants"))
		people = slices.DeleteFunc(slices.Clone(people), func(who model.CustomerID) bool {
			return !slices.Contains(in, who)
		})
	}
	var answer whatsapp.Object
	if len(people) > 0 {
		var named []map[string]string
		for _, who := range people {
			named = append(named, map[string]string{nameOf(who): string(who)})
		}
		answer, err = r.ask(ctx, whatsapp.NumberCall{Method: http.MethodDelete, Edge: "participants",
			Body: map[string]any{product: "whatsapp", "participants": named}})
		if err != nil {
			return err
		}
	}
	return r.answered(ctx, answer, nil)
}

// nameOf returns how Meta is named a person: by the number, or by the user id of somebody without a number.
func nameOf(who model.CustomerID) string {
	if strings.Trim(string(who), "0123456789") == "" {
		return "user"
	}
	return "user_id"
}

// deleteIt deletes the group. Meta tells when it is.
func (r *request) deleteIt(ctx context.Context) error {
	if _, err := r.begin(ctx); err != nil {
		return done(err)
	}
	answer, err := r.ask(ctx, whatsapp.NumberCall{Method: http.MethodDelete})
	if err != nil {
		return err
	}
	return r.answered(ctx, answer, nil)
}

// done returns no error for what is answered already.
func done(err error) error {
	if errors.Is(err, errElsewhere) {
		return nil
	}
	return err
}
