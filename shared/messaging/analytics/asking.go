package analytics

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta what it has counted of an account.
const EventAsk = "analytics.ask"

// ErrWaits means that Meta is being asked already.
var ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
	Class: problem.Conflict, Code: "analytics-wait", Title: "Another request is under way",
	Detail: "Meta is being asked about other days already. Try again when that is answered.",
})

// Meta is asked with the access token of a number: metaclient.Numbers.
type Meta interface {
	AboutNode(ctx context.Context, phone, id string, call whatsapp.NumberCall) (whatsapp.Object, error)
}

// Templates knows the templates of accounts: templates.Cache.
type Templates interface {
	Of(ctx context.Context, waba model.WABAID) ([]model.Template, error)
}

// asked is the payload of the event.
type asked struct {
	WABAID        model.WABAID        `json:"wabaId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Ask has Meta asked what it has counted of days of an account, by Days. tenant is the one that asks, and by who does.
// The same that is under way is not asked for again. It returns tenancy.ErrNoNumber and ErrWaits. The condition is that
// the account is as it was read.
func (s *Analytics) Ask(ctx context.Context, tenant model.TenantID, waba model.WABAID, days []string, by string) error {
	phone, err := s.Numbers.OfAccount(ctx, tenant, waba)
	if err != nil {
		return err
	}
	from, to := days[0], days[len(days)-1]
	return s.changeAccount(ctx, waba, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if was := a.Figures; was != nil && asking.Waits(was.At, was.AnsweredAt, s.Now()) {
			if was.From == from && was.To == to {
				return nil, false, nil
			}
			return nil, false, ErrWaits
		}
		a.PK, a.ItemType, a.WABAMetaID = keys.Account(waba).Partition, model.ItemAccount, waba
		a.Figures = &model.FiguresAsked{From: from, To: to, At: model.At(s.Now()), By: by}
		writes, err := s.Outbox.Queue(ctx,
			outbox.Entity{Tenant: tenant, Type: keys.EntityAnalytics, ID: "meta:" + string(waba)}, EventAsk,
			asked{waba, phone, a.Figures.At})
		return writes, true, err
	})
}

// Asked returns what Meta was asked last about the figures of an account, and the answer; nil for nothing.
func (s *Analytics) Asked(ctx context.Context, waba model.WABAID) (*model.FiguresAsked, error) {
	var a model.Account
	err := s.DB.Get(ctx, tables.Messages, keys.Account(waba), &a)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return a.Figures, err
}

func (s *Analytics) changeAccount(ctx context.Context, waba model.WABAID,
	decide func(a *model.Account) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Account(waba), decide)
}

// AskHandler returns the handler of the event. It may run twice: it stores what Meta has counted, whatever was stored
// before. asFailure says what the outbox does about a refusal.
func (s *Analytics) AskHandler(meta Meta, templates Templates, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		err = s.readFigures(ctx, meta, templates, event.EcosystemID, of)
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.answer(ctx, of, reason)
		})
	}}
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(a *model.FiguresAsked, of asked) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// answer stores the answer of a request. The condition is that it is still waited for.
func (s *Analytics) answer(ctx context.Context, of asked, problem string) error {
	return s.changeAccount(ctx, of.WABAID, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if !current(a.Figures, of) {
			return nil, false, nil
		}
		answered := *a.Figures
		answered.AnsweredAt, answered.Problem = model.At(s.Now()), problem
		a.Figures = &answered
		return nil, true, nil
	})
}

// readFigures asks Meta, and stores what it has counted of each day.
func (s *Analytics) readFigures(ctx context.Context, meta Meta, templates Templates, tenant model.TenantID,
	of asked) error {
	is, err := s.Asked(ctx, of.WABAID)
	if err != nil || !current(is, of) {
		return err
	}
	phone, err := s.Numbers.Number(ctx, of.PhoneNumberID)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	if phone.TenantID != tenant {
		return s.answer(ctx, of, asking.ProblemMoved)
	}
	days, err := s.Days(is.From, is.To)
	if err != nil {
		return err
	}
	f := figures{meta: meta, of: of, days: days, by: map[string]*model.Figures{}}
	problem, err := f.read(ctx, templates)
	if err != nil {
		return err
	}
	for _, date := range days {
		if err := s.keep(ctx, of.WABAID, date, f); err != nil {
			return err
		}
	}
	return s.answer(ctx, of, problem)
}

// keep stores what Meta has counted of a day. What Meta has not said this time stays as it said it before: it forgets
// what was sent by template after 90 days. The condition is that the day's item is as it was read.
func (s *Analytics) keep(ctx context.Context, waba model.WABAID, date string, f figures) error {
	key := keys.Analytics(waba, model.Name(date))
	return dynamo.Change(ctx, s.DB, tables.Messages, key, func(a *model.Analytics) ([]dynamo.Write, bool, error) {
		a.PK, a.ItemType, a.WABAMetaID, a.Date = key.Partition, model.ItemAnalytics, waba, date
		has := *f.by[date]
		has.ReadAt = model.At(s.Now())
		if was := a.Meta; was != nil {
			if !f.saidMessages {
				has.Sent, has.Delivered = was.Sent, was.Delivered
			}
			if !f.saidPrices {
				has.Prices, has.Costs, has.Currency = was.Prices, was.Costs, was.Currency
			}
			if !f.saidTemplates {
				has.Templates = was.Templates
			}
		}
		a.Counts, a.Meta = orEmpty(a.Counts), &has
		return nil, true, nil
	})
}
