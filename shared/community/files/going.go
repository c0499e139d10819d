package files

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// GoingType is the type of the event by which a file goes that no message has.
const GoingType = "community.file"

// Going is the payload of the event. It holds ids alone.
type Going struct {
	Kind communitymodel.Kind `json:"kind"`
	Chat model.Name          `json:"chatId"`
	File model.Name          `json:"fileId"`
}

// goes returns the write that plans for a time that a file goes. It replaces the plan that was made before.
func (s *Files) goes(tenant model.TenantID, ref communitymodel.ChatRef, file model.Name, at model.Time) (
	dynamo.Write, error) {
	payload, err := json.Marshal(Going{ref.Kind, ref.ID, file})
	if err != nil {
		return nil, err
	}
	return s.Outbox.Plan(outbox.Draft{
		Type: GoingType, Tenant: tenant, EntityType: keys.EntityFile, EntityID: string(file), Payload: payload}, at)
}

// Remover deletes files.
type Remover interface {
	Delete(ctx context.Context, key string) error
}

// attempts is how often a file is tried to be deleted: for about a day.
const (
	attempts = 150
	wait     = 10 * time.Minute
)

// Handlers returns the handler of the events by which files go. It is one of the slow lane.
func (s *Files) Handlers(bucket Remover) map[string]outbox.Handler {
	return map[string]outbox.Handler{GoingType: Removes(
		func(ctx context.Context, tenant model.TenantID, of Going) error {
			return s.settle(ctx, bucket, tenant, of)
		})}
}

// Named is the payload of an event: it reports whether it names a file.
type Named interface{ Whole() bool }

// Whole reports whether the event names a file.
func (g Going) Whole() bool { return g.Chat != "" && g.File != "" }

// Removes returns the handler of events by which something goes from the bucket: settle brings the bucket in line with
// the record of what an event names.
func Removes[G Named](settle func(ctx context.Context, tenant model.TenantID, of G) error) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		var of G
		if err := json.Unmarshal(event.Payload, &of); err != nil || !of.Whole() {
			return "", &outbox.Failure{Reason: "the stored event cannot be read", Attempts: 1}
		}
		if err := settle(ctx, event.EcosystemID, of); err != nil {
			return "", &outbox.Failure{
				Reason: "the bucket or the tables could not be reached", Class: "file", Attempts: attempts, Wait: wait}
		}
		return "", nil
	}}
}

// settle brings the bucket in line with the record of a file: a file that a message has stays. The record goes first,
// on the condition that no message has got the file meanwhile. It may run again after any failure.
func (s *Files) settle(ctx context.Context, bucket Remover, tenant model.TenantID, of Going) error {
	ref := communitymodel.ChatRef{Kind: of.Kind, ID: of.Chat}
	var f communitymodel.File
	err := s.DB.Get(ctx, ref.Table(), keys.ChatFile(ref.Key(), of.File), &f)
	switch {
	case err == nil && f.MessageID != "":
		return nil
	case err == nil:
		err = s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
			Table: ref.Table(), Key: keys.ChatFile(ref.Key(), of.File), If: "attribute_not_exists(MessageId)"}})
		var cancelled *dynamo.TransactionCancelled
		if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
			return nil
		}
		if err != nil {
			return err
		}
	case !errors.Is(err, dynamo.ErrNotFound):
		return err
	}
	return bucket.Delete(ctx, ObjectKey(tenant, of.Chat, of.File))
}
