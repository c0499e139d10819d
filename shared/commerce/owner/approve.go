package owner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// The answers of a second person to what one person may not do alone.
const (
	tapAllow  = "allow"
	tapRefuse = "refuse"
)

// The requests that a second person has to allow.
const (
	aPrice       = "price"  // that changes by much; the value is the new one
	aRefund      = "refund" // over the store's limit; the value is the reason
	anAdjustment = "adjust" // of a customer's account over the store's limit; the value is the amount, and why
)

// asked is what waits for a second person. The buttons of the question hold it: nothing else does.
type asked struct {
	kind  string
	thing model.Name // the product, the order, or the account
	// of the thing then: one that has changed since is asked about anew; of an adjustment when it was asked for
	version int64
	asker   model.CustomerID
	value   string
}

// maxValue bounds a value: a button's id is short.
const maxValue = 80

func (a asked) payload(what string) string {
	value := model.Truncate(strings.ReplaceAll(model.ShownLine(a.value), "|", "/"), maxValue)
	return TapPrefix + strings.Join(
		[]string{what, a.kind, strconv.FormatInt(a.version, 10), string(a.asker), value, string(a.thing)}, "|")
}

// parseAsked is the reverse of payload, without its prefix. It reports false for anything else.
func parseAsked(text string) (what string, a asked, ok bool) {
	parts := strings.SplitN(text, "|", 6)
	if len(parts) < 6 || parts[0] != tapAllow && parts[0] != tapRefuse ||
		parts[1] != aPrice && parts[1] != aRefund && parts[1] != anAdjustment {
		return "", a, false
	}
	version, errVersion := strconv.ParseInt(parts[2], 10, 64)
	thing, errThing := model.Parse[model.Name](parts[5])
	return parts[0], asked{parts[1], thing, version, model.CustomerID(parts[3]), parts[4]},
		errVersion == nil && errThing == nil
}

func (a asked) about() string { return a.kind + " " + string(a.thing) }

// approves reports whether somebody with a role allows what another person may not do alone.
func approves(role commercemodel.Role) bool {
	return role == commercemodel.RoleOwner || role == commercemodel.RoleManager
}

// TakesTwo reports whether the refund of an order takes a second person: it is over the store's limit, and at least two
// people of the team may allow it.
func TakesTwo(s commercemodel.Store, o commercemodel.Order) bool {
	return overLimit(s, o) && HasTwo(s)
}

// HasTwo reports whether at least two people of a store's team may allow what another person may not do alone.
func HasTwo(s commercemodel.Store) bool {
	may := 0
	for _, m := range Team(s) {
		if approves(m.Role) {
			may++
		}
	}
	return may > 1
}

func overLimit(s commercemodel.Store, o commercemodel.Order) bool {
	limit := s.Settings.RefundLimit
	return limit != nil && o.TotalAmount.GreaterThan(limit.Decimal)
}

// askOthers asks those who may allow it, and tells the asker so. The texts are those of the kind: what is asked, that
// it was asked, and that nobody can be.
func (t talk) askOthers(ctx context.Context, a asked, values wording.Values) error {
	prefix := "owner." + a.kind
	question := content.Buttons{
		Frame: content.Frame{Body: t.word(prefix+"_ask", values)}, Buttons: []content.Button{
			{ID: a.payload(tapAllow), Title: t.word("owner.button.allow", nil)},
			{ID: a.payload(tapRefuse), Title: t.word("owner.button.refuse", nil)},
		}}
	var writes []dynamo.Write
	for _, other := range t.team {
		if !approves(other.member.Role) || other.customer == t.m.Customer {
			continue
		}
		more, err := t.tell(ctx, other.customer, question, a.about())
		if err != nil {
			return err
		}
		writes = append(writes, more...)
	}
	if len(writes) == 0 {
		return t.text(ctx, prefix+"_far", values)
	}
	return t.text(ctx, prefix+"_asked", values, writes...)
}

// tell returns the writes of a message to another person; none where it may not be sent now, or where that person's
// conversation cannot be read: what was decided holds without it.
func (t talk) tell(ctx context.Context, to model.CustomerID, c content.Content,
	about string) ([]dynamo.Write, error) {
	out := sending.Outgoing{
		Tenant: t.store.TenantID, Phone: t.m.Phone, Customer: to, SentBy: t.Domain, Content: c,
		ID:    model.MessageID(idempotency.Hash("owner tells", string(t.m.ID), string(to))),
		About: t.others(to)}
	if about != "" {
		out.Purpose = model.AskOf(t.Domain, about)
	}
	found, err := t.DB.BatchGet(ctx, t.Sender.Refs(out))
	if err != nil {
		return nil, err
	}
	prepared, err := t.Sender.Prepare(ctx, out, found)
	if sending.IsRefusal(err) || dynamo.Permanent(err) || errors.Is(err, dynamo.ErrUndecodable) {
		return nil, nil
	}
	return prepared.Writes, err
}

// decided does what a second person says, and tells who has asked. The first answer counts: what it is about has
// another version then.
func (t talk) decided(ctx context.Context, what string, a asked) (bool, error) {
	about, ours, err := t.m.Asked(ctx, t.Domain)
	if err != nil || !ours || about != a.about() || !approves(t.self.Role) || a.asker == t.m.Customer {
		return false, err
	}
	if a.kind == anAdjustment {
		return true, t.decideAdjustment(ctx, what == tapAllow, a)
	}
	decide := map[string]func(context.Context, bool, asked) (decision, error){
		aPrice: t.decidePrice, aRefund: t.decideRefund}[a.kind]
	d, err := decide(ctx, what == tapAllow, a)
	var rule *problem.Error
	switch {
	case errors.Is(err, dynamo.ErrNotFound), errors.Is(err, errOther):
		return true, t.text(ctx, "owner."+a.kind+"_stale", nil)
	case errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict):
		return true, t.text(ctx, "owner.not_changed", wording.Values{"rule": rule.Detail})
	case err != nil:
		return false, err
	}
	told, err := t.tell(ctx, a.asker, content.Text{Body: t.word(d.key, d.values)}, "")
	if err != nil {
		return false, err
	}
	return true, t.text(ctx, d.key, d.values, slices.Concat(d.writes, told)...)
}

// decision is what a second person's answer leads to, and what is said of it.
type decision struct {
	key    string
	values wording.Values
	writes []dynamo.Write
}

// errOther means that what was asked about has changed since.
var errOther = errors.New("changed since it was asked about")
