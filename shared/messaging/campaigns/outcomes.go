package campaigns

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The outcomes of recipients.
const (
	OutcomeWaiting   = "waiting" // not dealt with yet
	OutcomeSkipped   = "skipped"
	OutcomeQueued    = "queued" // the outbox has the message
	OutcomeSent      = "sent"
	OutcomeDelivered = "delivered"
	OutcomeRead      = "read"
	OutcomeFailed    = "failed"
	OutcomeCancelled = "cancelled"
	OutcomeErased    = "erased" // nothing is known any more
)

// Outcome is what has become of a recipient.
type Outcome struct {
	To        model.CustomerID // "" for one who was erased
	Outcome   string
	Reason    string // why the recipient was skipped, or the message failed
	Variant   int
	MessageID model.MessageID // Meta's id, or haatline's; "" for no message
	Replied   bool
}

// counts returns what an outcome counts as.
func (o Outcome) counts() (c model.CampaignCounts) {
	switch o.Outcome {
	case OutcomeQueued:
		c.Queued = 1
	case OutcomeFailed:
		c.Failed = 1
	case OutcomeCancelled:
		c.Cancelled = 1
	case OutcomeRead:
		c.Read = 1
		fallthrough
	case OutcomeDelivered:
		c.Delivered = 1
		fallthrough
	case OutcomeSent:
		c.Sent = 1
	}
	if o.Replied {
		c.Replied = 1
	}
	return c
}

// final reports whether an outcome cannot change any more. A message that was cancelled after an attempt without an
// answer may turn out to be sent.
func (o Outcome) final() bool {
	return o.Replied && o.Outcome == OutcomeRead ||
		slices.Contains([]string{OutcomeSkipped, OutcomeFailed, OutcomeErased}, o.Outcome)
}

// outcomes returns what has become of the recipients of a part from one position to before another.
func (s *Campaigns) outcomes(ctx context.Context, c model.Campaign, at place, part model.CampaignPart,
	progress model.CampaignProgress, from, to int) ([]Outcome, error) {
	to = min(to, len(part.Recipients))
	if from >= to {
		return nil, nil
	}
	all := make([]Outcome, to-from)
	refs := make([]dynamo.Ref, len(all))
	var wanted []dynamo.Ref
	for i := range all {
		position := from + i
		r := part.Recipients[position]
		all[i] = Outcome{To: r.To, Outcome: OutcomeWaiting, Variant: variantOf(c, at.first+int64(position))}
		switch reason := reasonAt(progress, position); {
		case reason != "":
			all[i].Outcome, all[i].Reason = OutcomeSkipped, reason
		case r.To == "":
			all[i].Outcome, all[i].Replied = cmp.Or(r.Was, OutcomeErased), r.Replied
		case position < progress.Handed && !slices.Contains(progress.Aside, position):
			all[i].MessageID = messageID(c, r.To)
			refs[i] = messageRef(c, r.To)
			wanted = append(wanted, refs[i])
		}
	}
	messages, err := s.messages(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read messages of a campaign: %w", err)
	}
	for i := range all {
		if all[i].MessageID == "" {
			continue
		}
		m, there := messages[refs[i].Key]
		if !there {
			all[i].Outcome, all[i].MessageID = OutcomeErased, ""
			continue
		}
		fill(&all[i], m)
	}
	return all, s.replies(ctx, all, refs, messages)
}

// messages returns messages by the keys under which they were accepted. One that was sent has another id since.
func (s *Campaigns) messages(ctx context.Context, refs []dynamo.Ref) (map[keys.Key]model.Message, error) {
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	all, sent := map[keys.Key]model.Message{}, map[keys.Key]dynamo.Ref{}
	var more []dynamo.Ref
	for _, ref := range refs {
		item := ref.Found(found)
		if id := dynamo.Text(item, "waMessageId"); id != "" {
			sent[ref.Key] = dynamo.Ref{Table: tables.Messages, Key: keys.Message(model.MessageID(id))}
			more = append(more, sent[ref.Key])
			continue
		}
		if err := put(all, ref.Key, item); err != nil {
			return nil, err
		}
	}
	if found, err = s.DB.BatchGet(ctx, more); err != nil {
		return nil, err
	}
	for key, ref := range sent {
		if err := put(all, key, ref.Found(found)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// put puts a message into a map, unless it is not there or was erased.
func put(all map[keys.Key]model.Message, key keys.Key, item dynamo.Item) error {
	var m model.Message
	if err := dynamo.Unmarshal(item, &m); err != nil {
		return err
	}
	if m.PK != "" && m.ErasedAt == "" {
		all[key] = m
	}
	return nil
}

// fill says of a recipient what their message says.
func fill(o *Outcome, m model.Message) {
	if id, ok := keys.MessageIDOf(m.PK); ok {
		o.MessageID = id
	}
	switch m.DeliveryStatus {
	case model.Queued:
		if o.Outcome = OutcomeQueued; m.SentAt != "" {
			o.Outcome = OutcomeSent // no status has come yet
		}
	case model.Delivered:
		o.Outcome = OutcomeDelivered
	case model.Read, model.Played:
		o.Outcome = OutcomeRead
	case model.Failed:
		o.Outcome = OutcomeFailed
	case model.Cancelled:
		o.Outcome = OutcomeCancelled
	default:
		o.Outcome = OutcomeSent
	}
	for i := len(m.DeliveryStatusHistory) - 1; i >= 0 && o.Reason == ""; i-- {
		for _, p := range m.DeliveryStatusHistory[i].Errors {
			if o.Reason = p.Details; p.Code > 0 {
				o.Reason = fmt.Sprint(p.Code)
			}
		}
	}
}

// replies says which recipients have written since they got their message.
func (s *Campaigns) replies(ctx context.Context, all []Outcome, refs []dynamo.Ref,
	messages map[keys.Key]model.Message) error {
	conversations := make([]dynamo.Ref, len(all))
	var wanted []dynamo.Ref
	for i := range all {
		if m := messages[refs[i].Key]; m.SentAt != "" && m.ConversationPK != "" {
			conversations[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(m.ConversationPK)}
			wanted = append(wanted, conversations[i])
		}
	}
	found, err := s.DB.BatchGet(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read conversations of a campaign: %w", err)
	}
	for i := range all {
		if conversations[i].Key == (keys.Key{}) {
			continue
		}
		last := model.Order(dynamo.Text(conversations[i].Found(found), "lastInboundOrder"))
		all[i].Replied = last != "" && last.At() > messages[refs[i].Key].SentAt
	}
	return nil
}

// Outcomes returns what has become of up to limit recipients of a campaign from a place on, in the order of its lists,
// and the place of the next ones; -1 at the end. It reads no more than one part.
func (s *Campaigns) Outcomes(ctx context.Context, c model.Campaign, limit, from int) (all []Outcome, next int,
	err error) {
	places := placesOf(c)
	i := slices.IndexFunc(places, func(at place) bool { return int64(from) < at.first+int64(at.size) })
	if i < 0 || from < 0 {
		return nil, -1, nil
	}
	at := places[i]
	part, err := s.part(ctx, c.CampaignID, at)
	if err != nil {
		return nil, 0, err
	}
	progress, err := s.progress(ctx, c.CampaignID, at)
	if err != nil {
		return nil, 0, err
	}
	first := from - int(at.first)
	last := min(first+limit, at.size)
	all, err = s.outcomes(ctx, c, at, part, progress, first, last)
	if next = int(at.first) + last; i == len(places)-1 && last == at.size {
		next = -1
	}
	return all, next, err
}

// Sent returns the keys of a campaign's messages in the order in which they were sent, from after a place.
func (s *Campaigns) Sent(ctx context.Context, id model.Name, limit int, after string) (
	all []model.Message, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexCampaign, Where: "campaignId = :c",
		Values: dynamo.Item{":c": dynamo.S(id)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Message](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list messages of a campaign: %w", err)
	}
	return all, next, nil
}
