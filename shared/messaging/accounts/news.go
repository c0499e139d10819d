package accounts

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// keeping says how an event of a field is kept on the account.
type keeping int

const (
	unkept    keeping = iota
	withValue         // with what it says
	withoutIt         // what it says may name people: it stays in the log
)

// kept lists the fields of which the account keeps the latest event of each kind.
var kept = map[string]keeping{
	"account_update": withValue, "account_alerts": withValue, "account_review_update": withValue,
	"account_settings_update":    withValue,
	"business_capability_update": withValue, "business_status_update": withValue, "business_username_update": withValue,
	"partner_solutions": withValue, "payment_configuration_update": withValue,
	"security": withoutIt, "messaging_handovers": withoutIt, "automatic_events": withoutIt,
	"tracking_events": withoutIt,
}

const (
	maxKinds = 64      // of news of one account
	maxValue = 4 << 10 // bytes of one value; a longer one is in the log only
)

// kindOf returns the kind of an event: its field, and the word by which Meta tells events of the field apart.
func kindOf(field string, v whatsapp.Object) string {
	word := cmp.Or(v.Text("event"), v.Text("alert_type"), v.Text("decision"), v.Text("event_name"),
		v.Text("configuration_name"))
	if word == "" {
		return field
	}
	return field + "." + model.Truncate(word, maxFact)
}

// applyToAccount keeps an event on its account, and stops or resumes the account's numbers if it says so. Both commit
// in one transaction, so that an event takes effect once: a person who resumes a number later is not overruled by its
// repetition.
func (s *Accounts) applyToAccount(ctx context.Context, event webhooklog.Event) error {
	waba := event.Entry.WABAMetaID
	if waba == "" || event.Value == nil {
		return nil
	}
	phones, err := s.Numbers.PhonesOfAccount(ctx, waba)
	if err != nil {
		return err
	}
	stops := 0
	err = dynamo.Change(ctx, s.DB, tables.Messages, keys.Account(waba),
		func(a *model.Account) ([]dynamo.Write, bool, error) {
			a.PK, a.ItemType, a.WABAMetaID = keys.Account(waba).Partition, model.ItemAccount, waba
			changed := addNews(a, event)
			effect, has := standingAfter(event)
			if !has || a.Standing.Order >= event.At {
				return nil, changed, nil
			}
			a.Standing = effect
			writes, err := s.effects(ctx, effect, phones)
			if stops = 0; effect.Forbids == model.ForbidsEverything {
				stops = len(writes)
			}
			return writes, true, err
		})
	if err != nil {
		return err
	}
	if stops > 0 {
		telemetry.Count(ctx, telemetry.SendersStopped, float64(stops))
	}
	if limit := limitOf(event.Value); event.Entry.Field == "business_capability_update" && limit != "" {
		for _, phone := range phones { // the numbers of a business share its limit
			if err := s.setFacts(ctx, phone.PhoneNumberID, map[string]string{"messagingLimit": limit},
				event.At); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNews adds an event to an account's news, and reports whether it is the latest of its kind.
func addNews(a *model.Account, event webhooklog.Event) bool {
	kind := kindOf(event.Entry.Field, event.Value)
	if a.News[kind].Order >= event.At {
		return false
	}
	news := model.AccountNews{Order: event.At, EventID: event.Entry.EventID}
	if kept[event.Entry.Field] == withValue {
		if text, err := json.Marshal(event.Value); err == nil && len(text) <= maxValue {
			news.Value = model.DocumentOf(text)
		}
	}
	if a.News == nil {
		a.News = map[string]model.AccountNews{}
	}
	a.News[kind] = news
	for len(a.News) > maxKinds {
		oldest := kind
		for other, n := range a.News {
			if n.Order < a.News[oldest].Order {
				oldest = other
			}
		}
		delete(a.News, oldest)
	}
	return true
}

// forever is how long a stop lasts that Meta has set no end to. Then a message is tried.
const forever = 30 * 24 * time.Hour

// effects returns the writes that stop or resume numbers.
func (s *Accounts) effects(ctx context.Context, standing model.AccountStanding,
	phones []model.Phone) ([]dynamo.Write, error) {
	switch standing.Forbids {
	case "":
		return s.Outbox.ResumeWrites(ctx, groupsOf(phones))
	case model.ForbidsEverything:
		until := s.Now().Add(forever)
		if standing.Until != "" {
			until = standing.Until.Go()
		}
		const accountLocked = "131031 " // Meta's code for it, which has an explanation
		return s.Outbox.StopWrites(ctx, groupsOf(phones), until, accountLocked+standing.Event)
	}
	return nil, nil
}

// forbidding and allowing are the events of account_update that forbid everything, or clearly allow it again.
var (
	forbidding = []string{"ACCOUNT_DELETED", "ACCOUNT_OFFBOARDED", "ACCOUNT_LOCKED"}
	allowing   = []string{"ACCOUNT_RECONNECTED", "ACCOUNT_UNLOCKED"}
)

// current is the age up to which an event says something of now. Meta repeats a webhook for seven days; an older event
// is a body that somebody kept.
const current = 8 * 24 * time.Hour

// standingAfter returns whether an account may send after an event. It reports false for an event that says nothing of
// that.
func standingAfter(event webhooklog.Event) (model.AccountStanding, bool) {
	v := event.Value
	if event.Entry.ReceivedAt.Go().Sub(event.At.At().Go()) > current {
		return model.AccountStanding{}, false
	}
	standing := model.AccountStanding{Order: event.At, Event: model.Truncate(v.Text("event"), maxFact)}
	if event.Entry.Field != "account_update" {
		return standing, false
	}
	switch ban := v.Object("ban_info").Text("waba_ban_state"); {
	case slices.Contains(forbidding, standing.Event), ban == "DISABLE":
		standing.Forbids = model.ForbidsEverything
		return standing, true
	case slices.Contains(allowing, standing.Event), ban == "REINSTATE":
		return standing, true
	case standing.Event == "ACCOUNT_RESTRICTION":
		return restricted(standing, v.List("restriction_info").Objects())
	}
	return standing, false
}

// restricted returns the standing under restrictions. A restriction of answers forbids everything, one of messages that
// the business begins only templates, and one of adding numbers nothing.
func restricted(standing model.AccountStanding, restrictions []whatsapp.Object) (model.AccountStanding, bool) {
	until := map[string]model.Time{}
	for _, r := range restrictions {
		what := map[string]string{
			"RESTRICTED_CUSTOMER_INITIATED_MESSAGING": model.ForbidsEverything,
			"RESTRICTED_BIZ_INITIATED_MESSAGING":      model.ForbidsTemplates,
		}[r.Text("restriction_type")]
		if what == "" {
			continue
		}
		var ends model.Time
		if expires := whatsapp.Text(r.Text("expiration")).Seconds(); !expires.IsZero() {
			ends = model.At(expires)
		}
		until[what] = max(until[what], ends)
	}
	for _, what := range []string{model.ForbidsEverything, model.ForbidsTemplates} {
		if ends, forbids := until[what]; forbids {
			standing.Forbids, standing.Until = what, ends
			return standing, true
		}
	}
	return standing, false
}
