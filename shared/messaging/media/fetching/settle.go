// Package fetching brings files from Meta into the bucket, and deletes them there. Only one function imports it.
package fetching

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tombstone"
)

const (
	// lifetime is how long Meta keeps a file that came with a webhook. fetching ends a little earlier, so that the last
	// attempt can still succeed.
	lifetime = 7 * 24 * time.Hour
	fetching = lifetime - 10*time.Minute
	// attemptTime bounds one attempt. An event's lease is longer.
	attemptTime = 50 * time.Second
	// forgottenFor is how long the record of a file that Meta has forgotten says so.
	forgottenFor = 90 * 24 * time.Hour
	// endless is more attempts than there can be: time ends them.
	endless = 100_000
)

// waits are the times between attempts; the last one repeats.
var waits = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// Files settles the events of files.
type Files struct {
	*media.Files
	fetcher
}

// New returns what settles the events of files.
func New(files *media.Files, meta Meta, bucket Bucket) *Files {
	return &Files{files, fetcher{meta: meta, bucket: bucket, slots: make(chan struct{}, width),
		pictures: make(chan struct{}, 1)}}
}

// Handlers returns the handlers of the events, by type.
func (f *Files) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{media.EventFile: handler(f.settle), media.EventUpload: handler(f.upload)}
}

// handler returns the handler of events about a file, each of which may be processed again after any failure.
func handler(settle func(ctx context.Context, event model.OutboxEvent, of media.Payload) error) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		var of media.Payload
		if err := json.Unmarshal(event.Payload, &of); err != nil || of.MediaID == "" || of.PhoneNumberID == "" {
			return "", &outbox.Failure{Reason: "the stored request cannot be read", Attempts: 1}
		}
		ctx, cancel := context.WithTimeout(ctx, attemptTime)
		defer cancel()
		err := settle(ctx, event, of)
		var failure *outbox.Failure
		if err != nil && !errors.As(err, &failure) {
			err = &outbox.Failure{
				Reason: "the bucket or the tables could not be reached", Class: "fetch", Attempts: endless,
				Wait: waitAfter(event)}
		}
		return "", err
	}}
}

func waitAfter(event model.OutboxEvent) time.Duration {
	return waits[min(event.RetryCount, len(waits)-1)]
}

// settle brings the bucket in line with a file's record, and puts the file on the messages that show it.
func (f *Files) settle(ctx context.Context, event model.OutboxEvent, of media.Payload) error {
	record, err := f.Record(ctx, of.MediaID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return nil // it has expired
	case err != nil:
		return err
	case record.ErasedAt != "":
		return f.remove(ctx, of.ObjectKey(event.EcosystemID), of.Key)
	case record.S3Key != "":
		return f.show(ctx, of, record, nil)
	}
	stored, err := f.fetch(ctx, of.ObjectKey(event.EcosystemID), of, record)
	var unfetched *unfetchedError
	if errors.As(err, &unfetched) {
		return f.recordFailure(ctx, event, record, unfetched.reason)
	}
	if err != nil {
		return err
	}
	telemetry.Count(ctx, telemetry.FilesFetched, 1)
	record.S3Bucket, record.S3Key = f.bucket.Name(), stored.key
	record.ContentLength, record.Look = stored.size, stored.look
	change, err := storedUpdate(record, stored, f.Now())
	if err != nil {
		return err
	}
	err = f.show(ctx, of, record, change)
	if errors.Is(err, errErased) {
		return f.remove(ctx, stored.key)
	}
	return err
}

// errErased means that the record has become a tombstone.
var errErased = errors.New("the file has been erased")

// storedUpdate returns the write that a file is in the bucket: the record expires no more. Its condition is that the
// file is not erased.
func storedUpdate(record model.Media, stored storedFile, now time.Time) (*dynamo.Update, error) {
	do := dynamo.Do{
		Set: []string{
			"uploadedAt = :now", "detectedType = :detected", "contentType = if_not_exists(contentType, :type)"},
		Remove: []string{"#ttl", "fetchFailure", "forgottenAt"},
	}
	values := dynamo.Item{
		":now": dynamo.S(model.At(now)), ":detected": dynamo.S(stored.detected), ":type": dynamo.S(stored.mimeType)}
	err := setStored(record, &do, values)
	return &dynamo.Update{
		Table: tables.Messages, Key: keys.Media(record.MediaID), Do: do.String(),
		If: "attribute_exists(pk) AND attribute_not_exists(erasedAt)", Values: values,
	}, err
}

// setStored has an update set where a file is stored, and what is known of it: on its record, and on a message that
// shows it.
func setStored(record model.Media, do *dynamo.Do, values dynamo.Item) error {
	do.Set = append(do.Set, "s3Bucket = :bucket", "s3Key = :key", "contentLength = :size")
	values[":bucket"], values[":key"], values[":size"] = dynamo.S(record.S3Bucket), dynamo.S(record.S3Key),
		dynamo.N(record.ContentLength)
	if record.Look == nil {
		return nil
	}
	look, err := dynamo.Value(record.Look)
	do.Set, values[":look"] = append(do.Set, "look = :look"), look
	return err
}

// show puts a stored file on the messages that show it, together with the change of its record. A message that is not
// there, or is erased, needs nothing.
func (f *Files) show(ctx context.Context, of media.Payload, record model.Media, change *dynamo.Update) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var writes []dynamo.Write
		if change != nil {
			writes = append(writes, *change)
		}
		refs := make([]dynamo.Ref, len(of.MessageIDs))
		for i, id := range of.MessageIDs {
			refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}
		}
		found, err := f.DB.BatchGet(ctx, refs)
		if err != nil {
			return fmt.Errorf("read the messages of a file: %w", err)
		}
		for _, ref := range refs {
			if item := ref.Found(found); item == nil || tombstone.Is(item) ||
				dynamo.Text(item, "mediaId") != string(of.MediaID) {
				continue
			}
			var do dynamo.Do
			values := dynamo.Item{":media": dynamo.S(of.MediaID)}
			if err := setStored(record, &do, values); err != nil {
				return err
			}
			writes = append(writes, dynamo.Update{
				Table: ref.Table, Key: ref.Key, Do: do.String(), If: "mediaId = :media", Values: values})
		}
		if len(writes) == 0 {
			return nil
		}
		err = f.DB.Transact(ctx, writes)
		var canceled *dynamo.TransactionCancelled
		if change != nil && errors.As(err, &canceled) && len(canceled.Reasons) > 0 && canceled.Reasons[0].Failed() {
			return errErased
		}
		return dynamo.Conflict(err)
	})
}

// recordFailure records why a file could not be fetched. Until Meta forgets the file, the event is tried again; then it
// has ended, and the record says so. It changes nothing where the file is erased or stored by now.
func (f *Files) recordFailure(ctx context.Context, event model.OutboxEvent, record model.Media, reason string) error {
	now, wait := f.Now(), waitAfter(event)
	left := event.CreatedAt.Go().Add(fetching).Sub(now)
	forgotten := left <= 0 || record.ForgottenAt != "" // somebody has asked once more
	update := dynamo.Update{
		Table: tables.Messages, Key: keys.Media(record.MediaID), Do: "SET fetchFailure = :why, #ttl = :ttl",
		If: "attribute_exists(pk) AND attribute_not_exists(erasedAt) AND attribute_not_exists(s3Key)",
		Values: dynamo.Item{
			":why": dynamo.S(reason), ":ttl": dynamo.N(event.CreatedAt.Go().Add(lifetime + 24*time.Hour).Unix())},
	}
	if forgotten {
		update.Do += ", forgottenAt = :now"
		update.Values[":now"], update.Values[":ttl"] = dynamo.S(model.At(now)), dynamo.N(now.Add(forgottenFor).Unix())
	}
	if err := f.DB.Update(ctx, update); err != nil && !dynamo.IsConditionFailed(err) {
		return err
	}
	if forgotten {
		telemetry.Count(ctx, telemetry.FilesForgotten, 1)
		return nil
	}
	return &outbox.Failure{Reason: reason, Class: "fetch", Attempts: endless, Wait: min(wait, left)}
}
