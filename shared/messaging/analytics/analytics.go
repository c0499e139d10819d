// Package analytics counts what an account has sent and got in a day. It counts the messages themselves, when somebody
// asks for it, so that a message costs nothing for it and the numbers are exact. A day whose messages are still on
// their way may be counted again.
package analytics

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

const (
	// MaxDays bounds the days that one request names.
	MaxDays = 31
	// patience is how long a count may take before another one may be begun.
	patience = time.Hour
	dateForm = "2006-01-02"
	day      = 24 * time.Hour
)

// ErrDays means that a request names no days, or too many.
var ErrDays = problem.New("not a range of days", problem.Error{
	Class: problem.Invalid, Field: "query.from",
	Detail: "Name days of UTC as yyyy-mm-dd, the first one not after the last one, at most 31, and none of the future.",
})

// Analytics keeps the counts.
type Analytics struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
	// PageSize is how many messages are counted before that is stored; 0 for 500.
	PageSize int
}

// Days returns the days from one to another. It returns ErrDays.
func (s *Analytics) Days(from, to string) (days []string, err error) {
	first, wrong := time.Parse(dateForm, from)
	last, alsoWrong := time.Parse(dateForm, to)
	if wrong != nil || alsoWrong != nil || first.After(last) || last.After(s.Now()) ||
		last.Sub(first) >= MaxDays*day {
		return nil, ErrDays
	}
	for at := first; !at.After(last); at = at.Add(day) {
		days = append(days, at.Format(dateForm))
	}
	return days, nil
}

// Get returns what was counted of days of an account, in that order. A day that nobody has counted is absent.
func (s *Analytics) Get(ctx context.Context, waba model.WABAID, days []string) (all []model.Analytics, err error) {
	refs := make([]dynamo.Ref, len(days))
	for i, date := range days {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Analytics(waba, model.Name(date))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read counts: %w", err)
	}
	for _, ref := range refs {
		var a model.Analytics
		if err := dynamo.Unmarshal(ref.Found(found), &a); err != nil {
			return nil, err
		}
		if a.Version > 0 {
			all = append(all, a)
		}
	}
	return all, nil
}

// Count has days of an account counted. A day that is being counted is not begun again. tenant is the one that asks. It
// returns dynamo.ErrNotFound for an account without numbers. Its condition is that a day's item is as it was read.
func (s *Analytics) Count(ctx context.Context, tenant model.TenantID, waba model.WABAID, days []string) error {
	phones, err := s.Numbers.PhonesOfAccount(ctx, waba)
	if err != nil {
		return err
	}
	var ids []model.PhoneNumberID
	for _, phone := range phones {
		ids = append(ids, phone.PhoneNumberID)
	}
	if len(ids) == 0 {
		return dynamo.ErrNotFound
	}
	for _, date := range days {
		if err := s.begin(ctx, tenant, waba, date, ids); err != nil {
			return err
		}
	}
	return nil
}

func (s *Analytics) begin(ctx context.Context, tenant model.TenantID, waba model.WABAID, date string,
	phones []model.PhoneNumberID) error {
	now := model.At(s.Now())
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Analytics(waba, model.Name(date)),
		func(a *model.Analytics) ([]dynamo.Write, bool, error) {
			if a.Counting != nil && a.Counting.StartedAt > model.At(s.Now().Add(-patience)) {
				return nil, false, nil
			}
			a.PK, a.ItemType = keys.Analytics(waba, model.Name(date)).Partition, model.ItemAnalytics
			a.WABAMetaID, a.Date = waba, date
			a.Counting = &model.Counting{StartedAt: now, Phones: phones, Counts: empty()}
			a.Counts = orEmpty(a.Counts)
			writes, err := s.Outbox.Queue(ctx,
				outbox.Entity{Tenant: tenant, Type: keys.EntityAnalytics, ID: string(waba) + ":" + date}, EventCount,
				counting{waba, date, now})
			return writes, true, err
		})
}

func empty() model.Counts { return orEmpty(model.Counts{}) }

func orEmpty(c model.Counts) model.Counts {
	for _, counts := range []*map[string]int64{&c.TemplatesUsed, &c.Kinds, &c.Prices} {
		if *counts == nil {
			*counts = map[string]int64{}
		}
	}
	return c
}

// A text costs these write units of DynamoDB, and leaves these bytes in the tables. They are counted from the webhook,
// or from the request, to the last of its statuses.
const (
	UnitsOfReceived, BytesOfReceived = 14, 3166
	UnitsOfSent, BytesOfSent         = 52, 6032
)

// Usage is what a tenant has sent and got in a month, as far as its days were counted.
type Usage struct {
	model.Counts
	Days, Counted int                   // of all accounts together
	Costs         map[Cost]model.Amount // what Meta has said that messages cost
	Told          int                   // the days of which Meta has said what they cost
}

// Cost says of what something is the cost.
type Cost struct{ Currency, Category string }

// WriteUnits returns about how many write units the messages took, as if each were a text.
func (u Usage) WriteUnits() int64 {
	return u.MessagesReceived*UnitsOfReceived + (u.MessagesSent+u.MessagesFailed)*UnitsOfSent
}

// StoredBytes returns about how many bytes the messages added to the tables, as if each were a text.
func (u Usage) StoredBytes() int64 {
	return u.MessagesReceived*BytesOfReceived + (u.MessagesSent+u.MessagesFailed)*BytesOfSent
}

// Month returns the usage of a month, yyyy-mm, of accounts. It returns ErrDays for what is none.
func (s *Analytics) Month(ctx context.Context, accounts []model.WABAID, month string) (u Usage, err error) {
	first, wrong := time.Parse("2006-01", month)
	if wrong != nil || first.After(s.Now()) {
		return u, ErrDays
	}
	last := first.AddDate(0, 1, -1)
	if now := s.Now().UTC(); last.After(now) {
		last = now
	}
	days, err := s.Days(first.Format(dateForm), last.Format(dateForm))
	if err != nil {
		return u, err
	}
	u.Counts, u.Costs = empty(), map[Cost]model.Amount{}
	for _, waba := range accounts {
		found, err := s.Get(ctx, waba, days)
		if err != nil {
			return u, err
		}
		u.Days += len(days)
		for _, a := range found {
			if a.CountedAt != "" {
				u.Counted++
				add(&u.Counts, a.Counts)
			}
			if a.Meta != nil {
				u.Told++
				for category, cost := range a.Meta.Costs {
					of := Cost{a.Meta.Currency, category}
					u.Costs[of] = model.Amount{Decimal: u.Costs[of].Add(cost.Decimal)}
				}
			}
		}
	}
	return u, nil
}

func add(to *model.Counts, c model.Counts) {
	to.MessagesSent += c.MessagesSent
	to.MessagesDelivered += c.MessagesDelivered
	to.MessagesRead += c.MessagesRead
	to.MessagesFailed += c.MessagesFailed
	to.MessagesReceived += c.MessagesReceived
	for _, pair := range []struct{ to, from map[string]int64 }{
		{to.TemplatesUsed, c.TemplatesUsed}, {to.Kinds, c.Kinds}, {to.Prices, c.Prices}} {
		for name, n := range pair.from {
			pair.to[name] += n
		}
	}
}
