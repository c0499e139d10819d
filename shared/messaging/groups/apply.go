package groups

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	maxText = 2048 // bytes of one stored text
	// maxParticipants bounds who is known of a group, those included who have left. WhatsApp allows eight at a time.
	maxParticipants = 1000
)

// change is what an event says of a group.
type change struct {
	at                model.Order
	state             model.GroupState // "" for no change
	created           bool
	name, description *string // nil for no change
	inviteLink        string
	joinApprovalMode  string
	added, removed    []model.CustomerID
}

// changeOf reads an event. A kind that is not known yet changes what it spells out.
func changeOf(o whatsapp.Object, at model.Order) change {
	c := change{at: at, inviteLink: o.Text("invite_link"), joinApprovalMode: o.Text("join_approval_mode")}
	c.added, c.removed = participants(o.List("added_participants")), participants(o.List("removed_participants"))
	failed := len(o.List("errors")) > 0
	switch kind := o.Text("type"); {
	case failed:
	case kind == "group_create" && len(c.removed) == 0: // one of Meta's examples of a removal has this type
		c.state, c.created = model.GroupActive, true
	case kind == "group_delete":
		c.state = model.GroupDeleted
	case kind == "group_suspend":
		c.state = model.GroupSuspended
	case kind == "group_suspend_cleared":
		c.state = model.GroupActive
	}
	if c.created {
		c.name, c.description = text(o, "subject"), text(o, "description")
	}
	for name, field := range map[string]**string{"group_subject": &c.name, "group_description": &c.description} {
		if setting := o.Object(name); setting.Bool("update_successful") {
			*field = text(setting, "text")
		}
	}
	return c
}

// text returns a member that is there, "" included; nil for one that is not.
func text(o whatsapp.Object, name string) *string {
	if _, there := o[name]; !there {
		return nil
	}
	value := model.Truncate(o.Text(name), maxText)
	return &value
}

func participants(list whatsapp.List) []model.CustomerID {
	var all []model.CustomerID
	for _, o := range list.Objects() {
		for _, name := range []string{"wa_id", "user_id", "input"} {
			if who := model.ParseCustomers(o.Text(name)); len(who) > 0 {
				all = append(all, who[0])
				break
			}
		}
	}
	return all
}

// apply adds a change to a group, and reports whether anything changed. The result does not depend on the order of
// changes or on how often each comes.
func apply(g *model.Group, c change) bool {
	changed := false
	set := func(stands *model.Order, do func()) {
		if *stands < c.at {
			*stands, changed = c.at, true
			do()
		}
	}
	if c.state != "" {
		set(&g.StateOrder, func() { g.State = c.state })
	}
	if c.name != nil {
		set(&g.NameOrder, func() { g.Name = *c.name })
	}
	if c.description != nil {
		set(&g.DescriptionOrder, func() { g.Description = *c.description })
	}
	if c.inviteLink != "" || c.joinApprovalMode != "" {
		set(&g.InviteOrder, func() {
			g.InviteLink, g.JoinApprovalMode = model.Truncate(c.inviteLink, maxText),
				model.Truncate(c.joinApprovalMode, maxText)
		})
	}
	if c.created && g.CreatedAt == "" {
		g.CreatedAt, changed = c.at.At(), true
	}
	for _, who := range c.added {
		changed = place(g, model.Participant{ID: who, Order: c.at}) || changed
	}
	for _, who := range c.removed {
		changed = place(g, model.Participant{ID: who, Order: c.at, Left: true}) || changed
	}
	if at := c.at.At(); g.UpdatedAt < at {
		g.UpdatedAt, changed = at, true
	}
	return changed
}

// place records where a participant was last seen, and reports whether that is news.
func place(g *model.Group, p model.Participant) bool {
	at, known := slices.BinarySearchFunc(g.Participants, p,
		func(a, b model.Participant) int { return strings.Compare(string(a.ID), string(b.ID)) })
	switch {
	case known && g.Participants[at].Order >= p.Order, !known && len(g.Participants) >= maxParticipants:
		return false
	case known:
		g.Participants[at] = p
	default:
		g.Participants = slices.Insert(g.Participants, at, p)
	}
	return true
}
