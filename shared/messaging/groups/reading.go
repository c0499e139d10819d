package groups

import (
	"context"
	"net/url"
	"strconv"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	perPage = 100  // that Meta lists at once
	most    = 1000 // groups, or people who ask to join, that are read of a list
	fields  = "subject,description,suspended,creation_timestamp,join_approval_mode,participants"
)

// lookUp reads what Meta has of a group, its invite link, and who asks to join.
func (r *request) lookUp(ctx context.Context) error {
	about, err := r.ask(ctx, whatsapp.NumberCall{Query: url.Values{"fields": {fields}}})
	if err != nil {
		return err
	}
	link, err := r.ask(ctx, whatsapp.NumberCall{Edge: "invite_link"})
	if err != nil {
		return err
	}
	var open []model.JoinRequest
	if about.Text("join_approval_mode") == ApprovalRequired {
		if open, err = r.requested(ctx); err != nil {
			return err
		}
	}
	c := change{
		at: r.now(), state: model.GroupActive, name: text(about, "subject"), description: text(about, "description"),
		inviteLink: link.Text("invite_link"), joinApprovalMode: about.Text("join_approval_mode"),
		added: participants(about.List("participants")), requested: open, whole: true,
	}
	if about.Bool("suspended") {
		c.state = model.GroupSuspended
	}
	began := whatsapp.Text(about.Text("creation_timestamp")).Seconds()
	return r.settle(ctx, "", func(g *model.Group) {
		apply(g, c)
		if g.ReadAt = c.at.At(); g.CreatedAt == "" && !began.IsZero() {
			g.CreatedAt = model.At(began)
		}
	})
}

// requested returns who asks at Meta to join the group.
func (r *request) requested(ctx context.Context) (all []model.JoinRequest, err error) {
	err = pages(func(query url.Values) (whatsapp.Object, error) {
		return r.ask(ctx, whatsapp.NumberCall{Edge: "join_requests", Query: query})
	}, func(answer whatsapp.Object) int {
		all = append(all, joinRequests(r.now(), answer.List("data").Objects()...)...)
		return len(all)
	})
	return all, err
}

// listing is a group that Meta lists.
type listing struct {
	id   model.Name
	name string
	at   model.Time // when it was made
}

// listed returns the groups that Meta lists for the number.
func (r *request) listed(ctx context.Context) (all []listing, err error) {
	err = pages(func(query url.Values) (whatsapp.Object, error) {
		return r.meta.AboutNumber(ctx, string(r.of.PhoneNumberID), whatsapp.NumberCall{Edge: "groups", Query: query})
	}, func(answer whatsapp.Object) int {
		for _, o := range answer.Object("data").List("groups").Objects() {
			if id, err := model.Parse[model.Name](o.Text("id")); err == nil {
				made := whatsapp.Text(o.Text("created_at")).Seconds()
				all = append(all, listing{id, o.Text("subject"), model.At(made)})
			}
		}
		return len(all)
	})
	return all, err
}

// pages reads the pages of a list, until take has taken as many elements as are read of one.
func pages(read func(query url.Values) (whatsapp.Object, error), take func(answer whatsapp.Object) int) error {
	query := url.Values{"limit": {strconv.Itoa(perPage)}}
	for {
		answer, err := read(query)
		if err != nil {
			return err
		}
		paging := answer.Object("paging")
		after := paging.Object("cursors").Text("after")
		if take(answer) >= most || paging.Text("next") == "" || after == "" {
			return nil
		}
		query.Set("after", after)
	}
}
