package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/webhooklog"
)

// erasedUntil returns until when what was written from identifiers has been erased, "" where nothing has. An identifier may have
// been an erased customer's before it became this person's, so each is looked up by itself. That is done only for somebody
// who has no conversation, has not written in it yet, or has an identifier of which something was erased lately. What is kept
// of each identifier expires; from then on what the conversation knows counts for all of them.
func (s *Inbox) erasedUntil(ctx context.Context, p person, ids []model.CustomerID) (model.Time, error) {
	if c := p.existing; c != nil {
		expired := c.ErasedBefore != "" && c.ErasedBefore < model.At(s.Now().Add(-model.TombstoneLifetime))
		if expired || c.ErasedBefore == "" && c.LastInboundPK != "" {
			return c.ErasedBefore, nil
		}
	}
	return tombstone.ErasedUntil(ctx, s.DB, p.phone, ids)
}

// predatesErasure says whether a message is one that an erasure was about: logged by then, or written in an earlier second,
// which is as exactly as the platform tells the time.
func (a decodedMessage) predatesErasure(until model.Time) bool {
	second := model.At(until.Go().Truncate(time.Second))
	return a.loggedAt != "" && a.loggedAt <= until || a.message.ReceivedAt < second
}

// tombstoneLate puts tombstones for the messages that an erasure was about and that come only now, and returns the others.
func (s *Inbox) tombstoneLate(ctx context.Context, fresh []decodedMessage, until model.Time) ([]decodedMessage, error) {
	var left []decodedMessage
	for _, a := range fresh {
		if !a.predatesErasure(until) {
			left = append(left, a)
			continue
		}
		put, err := tombstone.Put(a.message.PK, s.Now(), "attribute_not_exists(direction)", nil)
		if err != nil {
			return nil, err
		}
		if err := dynamo.IgnoreConditionFailed(s.DB.Put(ctx, put)); err != nil {
			return nil, fmt.Errorf("bury %s: %w", a.position, err)
		}
		if a.media == nil {
			continue
		}
		if put, err = tombstone.PutMedia(a.media.MediaID, s.Now()); err == nil {
			err = s.DB.Put(ctx, put)
		}
		if err != nil {
			return nil, fmt.Errorf("bury media of %s: %w", a.position, err)
		}
	}
	return left, nil
}

// linkEntry notes on a message that another entry of the log holds it, too, so that an erasure finds that one as well.
// There is nothing to note where the entry is the message's own.
func (s *Inbox) linkEntry(ctx context.Context, a decodedMessage, stored dynamo.Item) error {
	event := a.message.EventID
	if event == "" || !IsMessage(stored) || dynamo.Text(stored, "eventId") == string(event) {
		return nil
	}
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: a.message.PK},
		Do:     "SET alsoLogged = list_append(if_not_exists(alsoLogged, :none), :one)",
		If:     "attribute_exists(direction) AND NOT contains(alsoLogged, :event)",
		Values: dynamo.Item{":none": dynamo.L(), ":one": dynamo.L(dynamo.S(event)), ":event": dynamo.S(event)},
	})
	return dynamo.IgnoreConditionFailed(err)
}

// isErased reports whether a logged message has been erased.
func isErased(_ decodedMessage, stored dynamo.Item) bool { return tombstone.Is(stored) }

// positionsOf finds the places in an entry's value of the messages that theirs recognises, given what is stored under their ids.
func (s *Inbox) positionsOf(selected func(a decodedMessage, stored dynamo.Item) bool) webhooklog.FindInEntry {
	return func(ctx context.Context, event model.WebhookEvent, value json.RawMessage) (map[string]bool, error) {
		arrivals, _, _ := decodeMessages(event, value)
		refs := make([]dynamo.Ref, len(arrivals))
		for i, a := range arrivals {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: a.message.PK}}
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("read messages of %s: %w", event.EventID, err)
		}
		gone := map[string]bool{}
		for i, a := range arrivals {
			if selected(a, refs[i].Found(found)) {
				gone[a.position] = true
			}
		}
		return gone, nil
	}
}
