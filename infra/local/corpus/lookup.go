package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// stored is what the messages table contains, by key.
type stored struct {
	events        map[string]model.WebhookEvent
	messages      map[string]model.Message // also tombstones and pointers
	conversations map[string]model.Conversation
	calls         map[string]model.Call
}

// lookUp waits until every id has its item and every entry of the bodies is processed or parked. It prints what became
// of each kind, and returns an error for what is lost or doubled. Parked entries are listed but are no error, because
// malformed bodies end there.
func lookUp(ctx context.Context, out io.Writer, s settings, bodies []body) error {
	table := tables.Messages.Resolve(os.Getenv, tables.Dev)
	client := engine.Client(s.dynamodb)
	deadline := time.Now().Add(s.wait)
	for {
		found, err := scan(ctx, client, table)
		if err != nil {
			return err
		}
		o := found.outcomeOf(bodies)
		if o.settled() || time.Now().After(deadline) {
			return errors.Join(o.report(out), found.doubled(out))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// scan reads the whole table. The log has no index of unprocessed entries, and a local table is small.
func scan(ctx context.Context, client *dynamodb.Client, table string) (stored, error) {
	s := stored{
		map[string]model.WebhookEvent{}, map[string]model.Message{}, map[string]model.Conversation{},
		map[string]model.Call{}}
	pages := dynamodb.NewScanPaginator(client,
		&dynamodb.ScanInput{TableName: aws.String(table), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return s, fmt.Errorf("scan the messages table: %w", err)
		}
		for _, item := range page.Items {
			if err := s.add(item); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func (s stored) add(item dynamo.Item) error {
	pk := dynamo.Text(item, keys.PK)
	switch dynamo.Text(item, "itemType") {
	case model.ItemWebhookEvent:
		return addTo(s.events, pk, item)
	case model.ItemConversation:
		return addTo(s.conversations, pk, item)
	case model.ItemMessage:
		return addTo(s.messages, pk, item)
	case model.ItemCall:
		return addTo(s.calls, pk, item)
	}
	return nil
}

func addTo[T any](all map[string]T, pk string, item dynamo.Item) error {
	var one T
	err := dynamo.Unmarshal(item, &one)
	all[pk] = one
	return err
}

// doubled prints what was counted or noted twice, and returns an error if anything was: a conversation with more unread
// messages than messages, a status, an edit or a reaction that is noted twice on one message.
func (s stored) doubled(out io.Writer) error {
	count := 0
	complain := func(format string, args ...any) {
		count++
		fmt.Fprintf(out, "doubled: "+format+"\n", args...)
	}
	inbound := map[string]int{}
	for pk, m := range s.messages {
		if m.Direction == model.Inbound {
			inbound[s.current(m.ConversationPK)]++
		}
		for i, status := range m.DeliveryStatusHistory {
			if slices.ContainsFunc(m.DeliveryStatusHistory[:i],
				func(other model.StatusUpdate) bool { return sameUpdate(status, other) }) {
				complain("the status %s of %s", status.Status, pk)
			}
		}
		for i, v := range m.Versions {
			if v.MessagePK != "" &&
				slices.ContainsFunc(m.Versions[:i],
					func(other model.Version) bool { return other.MessagePK == v.MessagePK }) {
				complain("the change %s of %s", v.MessagePK, pk)
			}
		}
		for i, r := range m.Reactions {
			if slices.ContainsFunc(m.Reactions[:i],
				func(other model.Reaction) bool { return other.MessagePK == r.MessagePK }) {
				complain("the reaction %s to %s", r.MessagePK, pk)
			}
		}
	}
	for pk, c := range s.conversations {
		if c.MergedInto == "" && c.UnreadCount > inbound[pk] {
			complain("%s has %d unread messages of %d", pk, c.UnreadCount, inbound[pk])
		}
	}
	if count > 0 {
		return fmt.Errorf("%d doubled", count)
	}
	return nil
}

func sameUpdate(a, b model.StatusUpdate) bool {
	return a.Status == b.Status && a.Timestamp == b.Timestamp && a.Type == b.Type && a.Participant == b.Participant
}

// current returns the conversation into which a conversation was merged.
func (s stored) current(pk string) string {
	for range len(s.conversations) {
		next := s.conversations[pk].MergedInto
		if next == "" {
			break
		}
		pk = next
	}
	return pk
}
