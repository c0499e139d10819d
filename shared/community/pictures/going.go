package pictures

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// GoingType is the type of the event by which a picture goes that is not shown.
const GoingType = "community.picture"

// Going is the payload of the event. It holds ids alone.
type Going struct {
	User      model.Name `json:"userId,omitempty"`
	Community model.Name `json:"communityId,omitempty"`
	Picture   model.Name `json:"pictureId"`
}

// goes returns the write that plans for a time that a picture goes. It replaces the plan that was made before.
func (s *Pictures) goes(tenant model.TenantID, of Owner, picture model.Name, at model.Time) (dynamo.Write, error) {
	payload, err := json.Marshal(Going{of.User, of.Community, picture})
	if err != nil {
		return nil, err
	}
	return s.Outbox.Plan(outbox.Draft{
		Type: GoingType, Tenant: tenant, EntityType: keys.EntityFile, EntityID: string(picture), Payload: payload}, at)
}

// dropped returns the writes by which a picture goes: its record, and the plan, for when the link to put it, made at an
// instant, has ended. It may be gone already.
func (s *Pictures) dropped(tenant model.TenantID, of Owner, picture model.Name, made model.Time) ([]dynamo.Write,
	error) {
	goes, err := s.goes(tenant, of, picture, max(model.At(s.Now()), model.At(made.Go().Add(files.PutLasts))))
	ref := of.ref(picture)
	return []dynamo.Write{goes, dynamo.Delete{Table: ref.Table, Key: ref.Key, If: dynamo.Unconditional}}, err
}

// DropAll has all pictures of an owner go, shown or not. It may run again after any failure.
func (s *Pictures) DropAll(ctx context.Context, tenant model.TenantID, of Owner) error {
	table, partition := of.partition()
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: table, Where: "pk = :owner AND begins_with(sk, :pictures)",
		Values: dynamo.Item{":owner": dynamo.S(partition), ":pictures": dynamo.S(keys.UploadedPictures)},
	})
	if err != nil {
		return err
	}
	all, err := dynamo.Entities[communitymodel.PictureFile](rows)
	for _, f := range all {
		writes, failed := s.dropped(tenant, of, f.ID, f.CreatedAt)
		if failed == nil {
			failed = dynamo.Conflict(s.DB.Transact(ctx, writes))
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Whole reports whether the event names a picture.
func (g Going) Whole() bool { return g.Picture != "" }

// Handlers returns the handler of the events by which pictures go. It is one of the slow lane.
func (s *Pictures) Handlers(bucket files.Remover) map[string]outbox.Handler {
	return map[string]outbox.Handler{GoingType: files.Removes(
		func(ctx context.Context, tenant model.TenantID, of Going) error {
			return s.settle(ctx, bucket, tenant, Owner{of.User, of.Community}, of.Picture)
		})}
}

// settle brings the bucket in line with the record of a picture: one that is shown stays. The record goes first, on the
// condition that the picture is not shown meanwhile. It may run again after any failure.
func (s *Pictures) settle(ctx context.Context, bucket files.Remover, tenant model.TenantID, of Owner,
	picture model.Name) error {
	ref := of.ref(picture)
	err := s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Delete{Table: ref.Table, Key: ref.Key, If: "attribute_not_exists(ShownAs)"}})
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return nil
	}
	if err != nil {
		return err
	}
	return bucket.Delete(ctx, of.object(tenant, picture))
}
