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

// numberEvent is what the platform says of a number of an account.
type numberEvent struct {
	display string // the platform names it by nothing else
	facts   map[string]string
	at      model.Order
}

// numberFacts has what a value of a field says of a number, by the attribute of the number's item. A value that says nothing
// of use has no attributes.
var numberFacts = map[string]func(v whatsapp.Object) map[string]string{
	"phone_number_quality_update": func(v whatsapp.Object) map[string]string {
		limit := cmp.Or(v.Text("max_daily_conversations_per_business"), v.Text("current_limit"))
		switch event := v.Text("event"); event {
		case "THROUGHPUT_UPGRADE": // then the limit only says that the throughput is higher
			return map[string]string{"throughput": "HIGH"}
		case "FLAGGED":
			return map[string]string{"qualityRating": "RED", "messagingLimit": limit}
		case "UNFLAGGED": // medium or high: it does not say which
			return map[string]string{"qualityRating": "UNKNOWN", "messagingLimit": limit}
		default:
			return map[string]string{"messagingLimit": limit}
		}
	},
	"phone_number_name_update": func(v whatsapp.Object) map[string]string {
		if v.Text("decision") != "APPROVED" {
			return nil // the name that was approved last stays
		}
		return map[string]string{"verifiedName": v.Text("requested_verified_name")}
	},
}

const maxFact = 256 // bytes of what is kept of one

// NumberReader returns the reader of what Meta says of numbers: quality, limits and names.
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

// applyEntry keeps what a logged value says of a number.
func (s *Numbers) applyEntry(ctx context.Context, entry model.WebhookEvent) error {
	value, err := s.Log.Value(ctx, entry)
	if err != nil {
		return err
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	event := numberEvent{
		display: digits(v.Text("display_phone_number")), facts: numberFacts[entry.Field](v),
		at: model.OrderOf(model.StoredTime(whatsapp.Entry{EntryTime: entry.EntryTime}.Time(), entry.ReceivedAt), model.Arrival(entry.ReceivedAt, entry.Position, 0)),
	}
	if event.display == "" || len(event.facts) == 0 || entry.WABAMetaID == "" {
		return nil
	}
	if err := s.applyEvent(ctx, entry.WABAMetaID, event); err != nil {
		return fmt.Errorf("learn of %s: %w", entry.EventID, err)
	}
	return nil
}

// applyEvent keeps what the platform says of a number on the number's item. An account's number that haatline does not know, because
// no message of it has come in yet, is not made by what is said of it.
func (s *Numbers) applyEvent(ctx context.Context, waba model.WABAID, event numberEvent) error {
	phones, err := s.phonesOfAccount(ctx, waba)
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

// setFact writes one attribute. Its condition is that no later event has said it, nor this one: whatever order events come in,
// and however often, the latest stands.
func (s *Numbers) setFact(ctx context.Context, phone model.PhoneNumberID, attribute, value string, at model.Order) error {
	if value == "" {
		return nil
	}
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET #" + attribute + " = :value, #" + attribute + "Order = :at",
		If:     "attribute_exists(pk) AND (attribute_not_exists(#" + attribute + "Order) OR #" + attribute + "Order < :at)",
		Values: dynamo.Item{":value": dynamo.S(model.Truncate(value, maxFact)), ":at": dynamo.S(at)},
	})
	if dynamo.IsConditionFailed(err) {
		return nil
	}
	return err
}

// digits are those of a number as people write it.
func digits(number string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
}
