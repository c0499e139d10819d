package inbox

import (
	"context"
	"errors"
	"maps"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Work is what a team changes about a conversation. A nil stays as it is.
type Work struct {
	Assignee     *string // "" for nobody
	State        *model.WorkState
	SnoozedUntil model.Time // of the state WorkSnoozed
	Priority     *model.Priority
	Labels       []string // sorted, each once; empty for none
}

// SetWork changes what a team does about a conversation. It returns ErrNoConversation if there is none. Where it ends
// the work, the condition is that no message of the customer has come since the conversation was read: a message opens
// it again. So it stays open then, and all else is changed.
func (s *Inbox) SetWork(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, w Work) error {
	if w.State == nil || *w.State == model.WorkOpen {
		return s.setWork(ctx, phone, customer, w)
	}
	ends := Work{State: w.State, SnoozedUntil: w.SnoozedUntil}
	w.State = nil
	if err := s.setWork(ctx, phone, customer, w); err != nil {
		return err
	}
	return s.setWork(ctx, phone, customer, ends)
}

func (s *Inbox) setWork(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, w Work) error {
	return s.onCurrentAsRead(ctx, phone, customer, func(key keys.Key, c model.Conversation) (dynamo.Item, error) {
		u, err := w.update(key, c, model.At(s.Now()))
		if err != nil || u.Do == "" {
			return nil, err
		}
		told, err := s.workWrites(ctx, c, w)
		if err != nil {
			return nil, err
		}
		return s.updateAnd(ctx, MarkChanged(u, phone, s.Now()), told)
	})
}

// GiveTo gives a conversation of a number, as it was read, to a colleague, together with other writes. It returns
// dynamo.ErrConflict if somebody takes care of it by now, if it is gone, or if a condition of the others fails.
func (s *Inbox) GiveTo(ctx context.Context, phone model.PhoneNumberID, c model.Conversation, who string,
	also ...dynamo.Write) error {
	w := Work{Assignee: &who}
	u, err := w.update(keys.ByPK(c.PK), c, model.At(s.Now()))
	if err != nil {
		return err
	}
	u.If = dynamo.And(u.If, "attribute_not_exists(#assignee)")
	told, err := s.workWrites(ctx, c, w)
	if err != nil {
		return err
	}
	writes := append([]dynamo.Write{MarkChanged(u, phone, s.Now())}, also...)
	return dynamo.Conflict(s.DB.Transact(ctx, append(writes, told...)))
}

// OpenByColleague counts the open conversations of each colleague among the newest ones of a number.
func (s *Inbox) OpenByColleague(ctx context.Context, phone model.PhoneNumberID) (map[string]int, error) {
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox, Where: "inboxPk = :pk", Backwards: true,
		Values: dynamo.Item{":pk": dynamo.S(keys.InboxConversations(phone))}, Limit: countPage,
	}
	open := model.WorkOpen
	Filter{State: &open}.workFilter(&query, model.At(s.Now()))
	counts := map[string]int{}
	for read := 0; read < maxCountedRows; read += countPage {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			if who := dynamo.Text(item, "assignee"); who != "" {
				counts[who]++
			}
		}
		if query.After = page.Next; query.After == nil {
			break
		}
	}
	return counts, nil
}

// update returns the write of what changes; one that does nothing for none.
func (w Work) update(key keys.Key, c model.Conversation, now model.Time) (dynamo.Update, error) {
	u := dynamo.Update{
		Table: tables.Messages, Key: key, If: "attribute_exists(pk) AND attribute_not_exists(mergedInto)",
		Values: dynamo.Item{},
	}
	var do dynamo.Do
	set := func(name, was, is string) {
		switch {
		case was == is:
		case is == "":
			do.Remove = append(do.Remove, "#"+name)
		default:
			do.Set, u.Values[":"+name] = append(do.Set, "#"+name+" = :"+name), dynamo.S(is)
		}
	}
	if w.Assignee != nil {
		set("assignee", c.Assignee, *w.Assignee)
	}
	if w.Priority != nil {
		set("priority", string(c.Priority), string(*w.Priority))
	}
	if w.State != nil {
		set("state", string(c.State), string(*w.State))
		set("snoozedUntil", string(c.SnoozedUntil), string(w.SnoozedUntil))
		if *w.State != model.WorkOpen {
			u.If = dynamo.And(u.If, dynamo.SameNumber("unreadTotal", int64(c.UnreadTotal), u.Values))
		}
	}
	if err := errors.Join(w.setLabels(&do, u.Values), w.setResolved(&do, u.Values, c, now)); err != nil {
		return u, err
	}
	u.Do = do.String()
	return u, nil
}

// setResolved notes when the work was resolved. Response times are counted from it.
func (w Work) setResolved(do *dynamo.Do, values dynamo.Item, c model.Conversation, now model.Time) error {
	if w.State == nil || *w.State != model.WorkResolved || c.State == model.WorkResolved {
		return nil
	}
	c.AddResolutions(now)
	list, err := dynamo.Value(c.Resolutions)
	if err != nil {
		return err
	}
	do.Set, values[":resolutions"] = append(do.Set, "#resolutions = :resolutions"), list
	return nil
}

func (w Work) setLabels(do *dynamo.Do, values dynamo.Item) error {
	switch {
	case w.Labels == nil:
	case len(w.Labels) == 0:
		do.Remove = append(do.Remove, "#labels")
	default:
		list, err := dynamo.Value(w.Labels)
		if err != nil {
			return err
		}
		do.Set, values[":labels"] = append(do.Set, "#labels = :labels"), list
	}
	return nil
}

// workFilter adds the conditions of a filter on what teams do to a query.
func (f Filter) workFilter(q *dynamo.Query, now model.Time) {
	and := func(condition string, values dynamo.Item) {
		q.Filter = dynamo.And(q.Filter, condition)
		maps.Copy(q.Values, values)
	}
	switch {
	case f.Unassigned:
		and("attribute_not_exists(#assignee)", nil)
	case f.Assignee != "":
		and("#assignee = :assignee", dynamo.Item{":assignee": dynamo.S(f.Assignee)})
	}
	if f.Label != "" {
		and("contains(#labels, :label)", dynamo.Item{":label": dynamo.S(f.Label)})
	}
	switch {
	case f.Priority == nil:
	case *f.Priority == model.PriorityNormal:
		and("attribute_not_exists(#priority)", nil)
	default:
		and("#priority = :priority", dynamo.Item{":priority": dynamo.S(*f.Priority)})
	}
	snoozed := dynamo.Item{":snoozed": dynamo.S(model.WorkSnoozed), ":now": dynamo.S(now)}
	switch {
	case f.State == nil:
	case *f.State == model.WorkOpen:
		and("(attribute_not_exists(#state) OR #state = :snoozed AND snoozedUntil <= :now)", snoozed)
	case *f.State == model.WorkSnoozed:
		and("#state = :snoozed AND snoozedUntil > :now", snoozed)
	default:
		and("#state = :state", dynamo.Item{":state": dynamo.S(*f.State)})
	}
}
