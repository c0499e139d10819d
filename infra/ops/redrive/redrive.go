// Package redrive replays batches from the failure bucket.
package redrive

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/commerce/following"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// Run brings back what the objects of the failure bucket hold, and deletes an object when all of its records are back.
// An unprocessed entry of the log is replayed. A change of an order is handed to the sweep of orders. An event of the
// outbox has a sweep already. Run can be repeated. An object that cannot be decoded stays, and the command fails at its
// end.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("redrive", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod")
	keep := flags.Bool("keep", false, "leave the objects where they are")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil {
		return err
	}
	account, err := deployment.AWS(ctx)
	if err != nil {
		return err
	}
	name, err := deployment.Resource(ctx, account, names.Functions, stage, names.FailureBucket)
	if err != nil {
		return fmt.Errorf("find the failure bucket: %s", deployment.Why(err))
	}
	db := dynamo.Wrap(dynamodb.NewFromConfig(account), stage)
	rooms := registry.Open(messaging.Config{DB: db, Now: time.Now})
	r := redrive{
		bucket: bucket{account, name}, keep: *keep, out: out, rooms: rooms,
		orders: registry.Commerce(rooms).Following(slog.New(slog.DiscardHandler), nil),
	}
	return r.all(ctx)
}

type redrive struct {
	bucket bucket
	rooms  *messaging.Domain
	orders *following.Consumer
	keep   bool
	out    io.Writer

	objects, replayed, done, gone, swept, aside, left int
}

func (r *redrive) all(ctx context.Context) error {
	after := ""
	for {
		keys, next, err := r.bucket.list(ctx, names.FailurePrefix, after)
		if err != nil {
			return fmt.Errorf("list the failure bucket: %s", deployment.Why(err))
		}
		for _, key := range keys {
			if err := r.object(ctx, key); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.left++
				fmt.Fprintf(r.out, "%s stays: %s\n", key, deployment.Why(err))
			}
		}
		if next == "" {
			break
		}
		after = next
	}
	fmt.Fprintf(r.out,
		"%d objects: %d log entries replayed, %d dealt with already, %d expired, %d events of the outbox left to "+
			"its sweep, "+
			"%d changes of orders left to theirs\n", r.objects, r.replayed, r.done, r.gone, r.swept, r.aside)
	if r.left > 0 {
		return fmt.Errorf("%d objects could not be brought back", r.left)
	}
	return nil
}

// object replays the records of one object, which is a batch that Lambda gave up on.
func (r *redrive) object(ctx context.Context, key string) error {
	content, err := r.bucket.read(ctx, key)
	if err != nil {
		return err
	}
	r.objects++
	var kept struct{ Payload string }
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(content, &kept); err != nil {
		return errors.New("it is no record of a failed batch")
	}
	if err := json.Unmarshal([]byte(kept.Payload), &batch); err != nil || len(batch.Records) == 0 {
		return errors.New("it holds no batch: the records may be in the stream still, for a day")
	}
	for _, record := range batch.Records {
		if err := r.record(ctx, record); err != nil {
			return err
		}
	}
	if r.keep {
		return nil
	}
	return r.bucket.remove(ctx, key)
}

func (r *redrive) record(ctx context.Context, record events.DynamoDBEventRecord) error {
	image := record.Change.NewImage
	if _, ofOutbox := record.Change.Keys["eventId"]; ofOutbox {
		r.swept++
		return nil
	}
	if _, ofOrders := record.Change.Keys["store_id"]; ofOrders {
		set, err := r.orders.Redrive(ctx, record)
		if set {
			r.aside++
		}
		return err
	}
	if kind, ok := image["itemType"]; !ok || kind.DataType() != events.DataTypeString ||
		kind.String() != model.ItemWebhookEvent {
		return errors.New("it holds a record that is no entry of the log")
	}
	id, ok := image["eventId"]
	if !ok || id.DataType() != events.DataTypeString {
		return errors.New("it holds an entry without an id")
	}
	return r.replay(ctx, model.EventID(id.String()))
}

func (r *redrive) replay(ctx context.Context, id model.EventID) error {
	var entry model.WebhookEvent
	err := r.rooms.DB.Get(ctx, tables.Messages, keys.WebhookEvent(id), &entry)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		r.gone++
		return nil
	case err != nil:
		return err
	case entry.ProcessedAt != "":
		r.done++
		return nil
	}
	if err := r.rooms.Replay(ctx, id); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	r.replayed++
	fmt.Fprintf(r.out, "replayed %s of %s\n", id, entry.ReceivedAt)
	return nil
}
