package accounts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	maxFact    = 256 // bytes of one stored attribute
	maxHistory = 50  // events of one number
)

// numberFacts returns the attributes that an event sets on the number's item. A value without useful information sets
// none.
func numberFacts(field string, v whatsapp.Object) map[string]string {
	if field == "phone_number_name_update" {
		if v.Text("decision") != "APPROVED" {
			return nil // the last approved name stays
		}
		return map[string]string{"verifiedName": v.Text("requested_verified_name")}
	}
	limit := limitOf(v)
	switch v.Text("event") {
	case "THROUGHPUT_UPGRADE": // then the limit only says that the throughput is higher
		return map[string]string{"throughput": "HIGH"}
	case "FLAGGED":
		return map[string]string{"qualityRating": "RED", "messagingLimit": limit}
	case "UNFLAGGED": // medium or high: Meta does not say which
		return map[string]string{"qualityRating": "UNKNOWN", "messagingLimit": limit}
	}
	return map[string]string{"messagingLimit": limit}
}

// tiers are Meta's names of limits that it also writes as numbers.
var tiers = map[string]string{
	"50": "TIER_50", "250": "TIER_250", "1000": "TIER_1K", "2000": "TIER_2K", "10000": "TIER_10K",
	"100000": "TIER_100K", "-1": "TIER_UNLIMITED",
}

// limitOf returns to how many customers a day templates may go, in Meta's words; "" if the value does not say.
func limitOf(v whatsapp.Object) string {
	limit := cmp.Or(v.Text("max_daily_conversations_per_business"), v.Text("current_limit"),
		v.Text("max_daily_conversation_per_phone"))
	return cmp.Or(tiers[limit], limit)
}

// applyToNumber stores what an event says of a number, which it names by its display number only. It creates no item
// for an unknown number, which has received no message yet.
func (s *Accounts) applyToNumber(ctx context.Context, event webhooklog.Event) error {
	display, waba := digits(event.Value.Text("display_phone_number")), event.Entry.WABAMetaID
	facts := numberFacts(event.Entry.Field, event.Value)
	if display == "" || waba == "" {
		return nil
	}
	phones, err := s.Numbers.PhonesOfAccount(ctx, waba)
	if err != nil {
		return err
	}
	for _, phone := range phones {
		if digits(phone.DisplayPhoneNumber) != display {
			continue
		}
		if err := s.setFacts(ctx, phone.PhoneNumberID, facts, event.At); err != nil {
			return err
		}
		if event.Entry.Field == "phone_number_quality_update" {
			if err := s.noteQuality(ctx, phone, facts, event); err != nil {
				return err
			}
		}
	}
	return nil
}

// setFacts sets attributes of a number. The condition of each is that neither this event nor a later one has set it:
// the latest event wins, in whatever order and however often events arrive.
func (s *Accounts) setFacts(ctx context.Context, phone model.PhoneNumberID, facts map[string]string,
	at model.Order) error {
	for _, attribute := range slices.Sorted(maps.Keys(facts)) {
		value := facts[attribute]
		if value == "" {
			continue
		}
		err := s.DB.Update(ctx, dynamo.Update{
			Table: tables.Messages, Key: keys.Phone(phone),
			Do: "SET #" + attribute + " = :value, #" + attribute + "Order = :at",
			If: "attribute_exists(pk) AND (attribute_not_exists(#" + attribute + "Order) OR #" + attribute +
				"Order < :at)",
			Values: dynamo.Item{":value": dynamo.S(model.Truncate(value, maxFact)), ":at": dynamo.S(at)},
		})
		if err := dynamo.IgnoreConditionFailed(err); err != nil {
			return err
		}
	}
	return nil
}

// noteQuality adds an event to the history of a number's quality.
func (s *Accounts) noteQuality(ctx context.Context, phone model.Phone, facts map[string]string,
	event webhooklog.Event) error {
	key := keys.Quality(phone.PhoneNumberID)
	return dynamo.Change(ctx, s.DB, tables.Messages, key, func(q *model.Quality) ([]dynamo.Write, bool, error) {
		q.PK, q.ItemType, q.WABAMetaID = key.Partition, model.ItemQuality, phone.WABAMetaID
		return nil, addQuality(q, model.QualityChange{
			Order: event.At, Event: model.Truncate(event.Value.Text("event"), maxFact), Rating: facts["qualityRating"],
			Limit: model.Truncate(facts["messagingLimit"], maxFact),
		}, facts["throughput"]), nil
	})
}

// Checked notes the quality and the throughput of a number that Meta has said when it was asked. "" is for what it has
// not said. A number that is not known gets no item.
func (s *Accounts) Checked(ctx context.Context, id model.PhoneNumberID, rating, throughput string,
	at model.Time) error {
	phone, err := s.Numbers.Number(ctx, id)
	if err != nil || phone.WABAMetaID == "" {
		return err
	}
	order := model.OrderOf(at, 0)
	facts := map[string]string{"qualityRating": rating, "throughput": throughput}
	if err := s.setFacts(ctx, id, facts, order); err != nil {
		return err
	}
	key := keys.Quality(id)
	return dynamo.Change(ctx, s.DB, tables.Messages, key, func(q *model.Quality) ([]dynamo.Write, bool, error) {
		if q.RatingOrder >= order || rating == "" && throughput == "" {
			return nil, false, nil
		}
		q.PK, q.ItemType, q.WABAMetaID = key.Partition, model.ItemQuality, phone.WABAMetaID
		if rating == q.QualityRating { // what has not changed adds nothing to the history
			q.LastCheckedAt, q.RatingOrder = max(q.LastCheckedAt, at), order
			if throughput != "" && q.ThroughputOrder < order {
				q.ThroughputStatus, q.ThroughputOrder = throughput, order
			}
			return nil, true, nil
		}
		return nil, addQuality(q, model.QualityChange{
			Order: order, Event: checked, Rating: model.Truncate(rating, maxFact)}, throughput), nil
	})
}

// checked is the event of a quality that Meta has said when it was asked.
const checked = "CHECKED"

// addQuality adds a change to a quality, and reports whether it was new.
func addQuality(q *model.Quality, change model.QualityChange, throughput string) bool {
	at, found := slices.BinarySearchFunc(q.QualityHistory, change,
		func(a, b model.QualityChange) int { return cmp.Compare(a.Order, b.Order) })
	if found || at == 0 && len(q.QualityHistory) == maxHistory {
		return false
	}
	q.QualityHistory = slices.Insert(q.QualityHistory, at, change)
	q.QualityHistory = q.QualityHistory[max(0, len(q.QualityHistory)-maxHistory):]
	q.LastCheckedAt = max(q.LastCheckedAt, change.Order.At())
	if change.Rating != "" && q.RatingOrder < change.Order {
		q.QualityRating, q.RatingOrder = change.Rating, change.Order
	}
	if throughput != "" && q.ThroughputOrder < change.Order {
		q.ThroughputStatus, q.ThroughputOrder = throughput, change.Order
	}
	return true
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
