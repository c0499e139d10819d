package tenancy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// numberEvent is an event of Meta about a number of an account.
type numberEvent struct {
	display string // Meta identifies the number by nothing else
	facts   map[string]string
	at      model.Order
}

// numberFacts extracts, for a webhook field, the attributes to set on the number's item. A value without useful information
// returns none.
var numberFacts = map[string]func(v whatsapp.Object) map[string]string{
	"phone_number_quality_update": func(v whatsapp.Object) map[string]string {
		limit := cmp.Or(v.Text("max_daily_conversations_per_business"), v.Text("current_limit"))
		switch event := v.Text("event"); event {
		case "THROUGHPUT_UPGRADE": // then the limit only says that the throughput is higher
			return map[string]string{"throughput": "HIGH"}
		case "FLAGGED":
			return map[string]string{"qualityRating": "RED", "messagingLimit": limit}
		case "UNFLAGGED": // medium or high: Meta does not say which
			return map[string]string{"qualityRating": "UNKNOWN", "messagingLimit": limit}
		default:
			return map[string]string{"messagingLimit": limit}
		}
	},
	"phone_number_name_update": func(v whatsapp.Object) map[string]string {
		if v.Text("decision") != "APPROVED" {
			return nil // the last approved name stays
		}
		return map[string]string{"verifiedName": v.Text("requested_verified_name")}
	},
}

const maxFact = 256 // bytes of one stored attribute

// NumberReader returns the reader of Meta's events about numbers: quality, limits and names.
func (s *Numbers) NumberReader() webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool { return numberFacts[entry.Field] != nil },
		Open: func(_ context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, entry := range entries {
				jobs[i].Do = func(ctx context.Context) error { return s.applyEntry(ctx, entry) }
			}
			return jobs
		},
	}
}

// applyEntry stores what a logged event says about a number.
func (s *Numbers) applyEntry(ctx context.Context, entry model.WebhookEvent) error {
	value, err := s.Log.Value(ctx, entry)
	if err != nil {
		return err
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	event := numberEvent{
		display: digits(v.Text("display_phone_number")), facts: numberFacts[entry.Field](v),
		at: model.OrderOf(
			model.StoredTime(whatsapp.Entry{EntryTime: entry.EntryTime}.Time(), entry.ReceivedAt),
			model.Arrival(entry.ReceivedAt, entry.Position, 0),
		),
	}
	if event.display == "" || len(event.facts) == 0 || entry.WABAMetaID == "" {
		return nil
	}
	if err := s.applyEvent(ctx, entry.WABAMetaID, event); err != nil {
		return fmt.Errorf("apply number event %s: %w", entry.EventID, err)
	}
	return nil
}

// applyEvent sets the attributes of an event on the number's item. It creates no item for an unknown number, which has received
// no message yet.
func (s *Numbers) applyEvent(ctx context.Context, waba model.WABAID, event numberEvent) error {
	phones, err := s.PhonesOfAccount(ctx, waba)
	if err != nil {
		return err
	}
	for _, phone := range phones {
		if digits(phone.DisplayPhoneNumber) != event.display {
			continue
		}
		for _, attribute := range slices.Sorted(maps.Keys(event.facts)) {
			if err := s.setFact(ctx, phone.PhoneNumberID, attribute, event.facts[attribute], event.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// setFact sets one attribute. The condition is that neither this event nor a later one has set it: the latest event wins, in
// whatever order and however often events arrive.
func (s *Numbers) setFact(ctx context.Context, phone model.PhoneNumberID, attribute, value string, at model.Order) error {
	if value == "" {
		return nil
	}
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET #" + attribute + " = :value, #" + attribute + "Order = :at",
		If:     "attribute_exists(pk) AND (attribute_not_exists(#" + attribute + "Order) OR #" + attribute + "Order < :at)",
		Values: dynamo.Item{":value": dynamo.S(model.Truncate(value, maxFact)), ":at": dynamo.S(at)},
	})
	return dynamo.IgnoreConditionFailed(err)
}

// digits returns the digits of a display number.
func digits(number string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
}
