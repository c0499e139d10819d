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
	maxRequests     = 1000 // to join, those included that were answered
)

// change is what an event says of a group.
type change struct {
	at                model.Order
	state             model.GroupState // "" for no change
	created           bool
	name, description *string // nil for no change
	picture           string  // its hash, as Meta says it; "" for no change
	inviteLink        string
	joinApprovalMode  string
	added, removed    []model.CustomerID
	requested         []model.JoinRequest // who asks to join
	answered          []string            // requests to join that are answered, or taken back
	requestID         string              // of the request that Meta tells of
	refused, refusal  string              // the wish that Meta has not carried out, and why not; "" for none
	// whole says that added and requested are all that there are.
	whole bool
}

// changeOf reads an event. A kind that is not known yet changes what it spells out.
func changeOf(o whatsapp.Object, at model.Order) change {
	c := change{at: at, inviteLink: o.Text("invite_link"), joinApprovalMode: o.Text("join_approval_mode")}
	c.added, c.removed = participants(o.List("added_participants")), participants(o.List("removed_participants"))
	c.requestID = model.Truncate(o.Text("request_id"), maxText)
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
	case kind == "group_join_request_created":
		c.requested = joinRequests(at, o)
	case kind == "group_join_request_revoked":
		c.answered = []string{o.Text("join_request_id")}
	}
	if c.refusal = problemIn(o); c.refusal != "" {
		c.refused = refusedWish(o)
	}
	if c.created {
		c.name, c.description = text(o, "subject"), text(o, "description")
	}
	for name, field := range map[string]**string{"group_subject": &c.name, "group_description": &c.description} {
		if setting := o.Object(name); setting.Bool("update_successful") {
			*field = text(setting, "text")
		}
	}
	// Meta's own example does not say that it was successful.
	if picture := o.Object("profile_picture"); len(picture.List("errors")) == 0 &&
		(picture["update_successful"] == nil || picture.Bool("update_successful")) {
		c.picture = model.Truncate(picture.Text("sha256"), maxText)
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

// joinRequests returns those who ask to join.
func joinRequests(at model.Order, list ...whatsapp.Object) []model.JoinRequest {
	var all []model.JoinRequest
	for _, o := range list {
		id, err := model.Parse[model.Name](o.Text("join_request_id"))
		if who := personIn(o); err == nil && who != "" {
			all = append(all, model.JoinRequest{ID: id, CustomerID: who, Order: at})
		}
	}
	return all
}

func participants(list whatsapp.List) []model.CustomerID {
	var all []model.CustomerID
	for _, o := range list.Objects() {
		if who := personIn(o); who != "" {
			all = append(all, who)
		}
	}
	return all
}

// personIn returns whom Meta names: their number, or their user id; "" for nobody.
func personIn(o whatsapp.Object) model.CustomerID {
	for _, name := range []string{"wa_id", "user_id", "input"} {
		if who := model.ParseCustomers(o.Text(name)); len(who) > 0 {
			return who[0]
		}
	}
	return ""
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
	if c.picture != "" {
		set(&g.PictureOrder, func() { g.PictureHash = c.picture })
	}
	if c.inviteLink != "" {
		set(&g.InviteOrder, func() { g.InviteLink = model.Truncate(c.inviteLink, maxText) })
	}
	if c.joinApprovalMode != "" {
		set(&g.ModeOrder, func() { g.JoinApprovalMode = model.Truncate(c.joinApprovalMode, maxText) })
	}
	if c.created && c.requestID != "" && g.RequestID == "" {
		g.RequestID, changed = c.requestID, true
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
	changed = applyRequests(g, c) || changed
	changed = refuse(g, c) || changed
	if c.whole {
		changed = leave(g, c) || changed
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

// applyRequests records who asks to join and who does not any more, and reports whether that is news.
func applyRequests(g *model.Group, c change) bool {
	changed := false
	for _, j := range c.requested {
		changed = ask(g, j) || changed
	}
	for _, text := range c.answered {
		id, err := model.Parse[model.Name](text)
		if err == nil {
			changed = ask(g, model.JoinRequest{ID: id, Order: c.at, Gone: true}) || changed
		}
	}
	return changed
}

// ask records where a request to join was last seen, and reports whether that is news. One that is gone names nobody.
func ask(g *model.Group, j model.JoinRequest) bool {
	at, known := slices.BinarySearchFunc(g.JoinRequests, j,
		func(a, b model.JoinRequest) int { return strings.Compare(string(a.ID), string(b.ID)) })
	switch {
	case known && g.JoinRequests[at].Order >= j.Order, !known && len(g.JoinRequests) >= maxRequests:
		return false
	case known:
		g.JoinRequests = slices.Clone(g.JoinRequests)
		g.JoinRequests[at] = j
	default:
		g.JoinRequests = slices.Insert(slices.Clone(g.JoinRequests), at, j)
	}
	return true
}

// leave records as gone who is not in a change that has all, and reports whether that is news.
func leave(g *model.Group, c change) bool {
	changed := false
	for _, p := range slices.Clone(g.Participants) {
		if !p.Left && !slices.Contains(c.added, p.ID) {
			changed = place(g, model.Participant{ID: p.ID, Order: c.at, Left: true}) || changed
		}
	}
	for _, j := range slices.Clone(g.JoinRequests) {
		asks := slices.ContainsFunc(c.requested, func(r model.JoinRequest) bool { return r.ID == j.ID })
		if !j.Gone && !asks {
			changed = ask(g, model.JoinRequest{ID: j.ID, Order: c.at, Gone: true}) || changed
		}
	}
	return changed
}

// refuse notes that Meta has not done what it was asked last, and reports whether that is news. Meta names the request;
// the name is not known here until Meta's answer is stored.
func refuse(g *model.Group, c change) bool {
	if c.refused == "" || g.Asked == nil || g.Asked.Wish != c.refused || g.Asked.Problem != "" ||
		g.Asked.RequestID != "" && g.Asked.RequestID != c.requestID || c.at.At() < g.Asked.At {
		return false
	}
	a := *g.Asked
	a.AnsweredAt, a.Problem = c.at.At(), c.refusal
	g.Asked = &a
	return true
}

// refusedWish returns the wish that an event with errors is about; "" for none.
func refusedWish(o whatsapp.Object) string {
	switch {
	case o.Text("type") == "group_delete":
		return Delete
	case len(o.List("failed_participants")) > 0:
		return Remove
	case o.Object("group_subject") != nil || o.Object("group_description") != nil:
		return Change
	case o.Object("profile_picture") != nil:
		return Picture
	}
	return ""
}
