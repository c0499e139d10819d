package campaigns

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/prices"
)

// checkTime bounds how long an estimate looks at recipients, because its caller waits.
const checkTime = 15 * time.Second

// Estimate is what a campaign is likely to cost, and to take.
type Estimate struct {
	Category   string // the dearer one of the variants'; "" if it is not known
	PricesFrom string // yyyy-mm-dd
	Markets    []Market
	Amount     decimal.Decimal
	// Checked is how many recipients were looked at for the two that follow.
	Checked, OptedOut, MarketingStopped int64
	Limit, Left                         int64 // 0 if there is no limit
	Takes                               time.Duration
}

// Market is what a campaign costs in one of Meta's markets.
type Market struct {
	Name          string
	Recipients    int64
	Price, Amount decimal.Decimal
}

// Estimate returns what a campaign is likely to cost, and to take. It returns the errors of templates.Check.
func (s *Campaigns) Estimate(ctx context.Context, c model.Campaign) (e Estimate, err error) {
	number, err := s.Numbers.Number(ctx, c.PhoneNumberID)
	if err != nil {
		return e, err
	}
	categories, err := s.categories(ctx, c)
	if err != nil {
		return e, err
	}
	list := prices.At(model.At(s.Now()))
	e.PricesFrom, e.Category = list.From, dearest(categories)
	for name, recipients := range c.Markets {
		m := Market{Name: name, Recipients: recipients}
		m.Price, _ = list.Of(name, e.Category)
		m.Amount = m.Price.Mul(decimal.NewFromInt(recipients))
		e.Amount = e.Amount.Add(m.Amount)
		e.Markets = append(e.Markets, m)
	}
	slices.SortFunc(e.Markets, func(a, b Market) int {
		return cmp.Or(cmp.Compare(b.Recipients, a.Recipients), cmp.Compare(a.Name, b.Name))
	})
	e.Takes = time.Duration(c.TotalRecipients) * time.Second / time.Duration(paceOf(number))
	if e.Limit = LimitOf(number); e.Limit > 0 {
		allowed, err := s.allowance(ctx, number)
		if err != nil {
			return e, err
		}
		e.Left = int64(allowed)
	}
	return e, s.check(ctx, c, &e)
}

// dearest returns the category that costs most; "" if one is not known.
func dearest(categories []string) (category string) {
	for _, known := range []string{"marketing", "authentication", "utility"} {
		if slices.Contains(categories, known) && !slices.Contains(categories, "") {
			return known
		}
	}
	return ""
}

// check counts the recipients who do not want messages, as far as time allows. It looks at the conversations that their
// identifiers name, and does not follow aliases.
func (s *Campaigns) check(ctx context.Context, c model.Campaign, e *Estimate) error {
	ends := s.Now().Add(checkTime)
	var checked, optedOut, stopped atomic.Int64
	for places := range slices.Chunk(placesOf(c), abreast) {
		var jobs []func() error
		for _, at := range places {
			jobs = append(jobs, func() error {
				part, err := s.part(ctx, c.CampaignID, at)
				if err != nil {
					return err
				}
				var refs []dynamo.Ref
				for _, r := range part.Recipients {
					if r.To != "" {
						refs = append(refs, dynamo.Ref{
							Table: tables.Messages, Key: keys.Conversation(c.PhoneNumberID, r.To)})
					}
				}
				found, err := s.DB.BatchGet(ctx, refs)
				if err != nil {
					return err
				}
				checked.Add(int64(len(part.Recipients)))
				for _, ref := range refs {
					var conversation model.Conversation
					if err := dynamo.Unmarshal(ref.Found(found), &conversation); err != nil {
						continue // sending says so
					}
					if inbox.OptedOut(&conversation) {
						optedOut.Add(1)
					}
					if conversation.MarketingStoppedAt != "" {
						stopped.Add(1)
					}
				}
				return nil
			})
		}
		for _, err := range lanes.Concurrently(abreast, jobs...) {
			if err != nil {
				return err
			}
		}
		if s.Now().After(ends) {
			break
		}
	}
	e.Checked, e.OptedOut, e.MarketingStopped = checked.Load(), optedOut.Load(), stopped.Load()
	return nil
}
