package tenancy

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Infra returns what the platform's operators note of its infrastructure; the zero value for nothing.
func (s *Tenants) Infra(ctx context.Context) (is model.Infra, err error) {
	err = s.DB.Get(ctx, tables.Messages, keys.Infra(), &is)
	if errors.Is(err, dynamo.ErrNotFound) {
		return is, nil
	}
	return is, err
}

// NoteInfra replaces what is noted. The last call wins.
func (s *Tenants) NoteInfra(ctx context.Context, is model.Infra) error {
	is.PK, is.ItemType, is.UpdatedAt = keys.Infra().Partition, model.ItemConfig, model.At(s.Now())
	item, err := dynamo.Marshal(is)
	if err != nil {
		return err
	}
	if err := s.DB.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
		return fmt.Errorf("note the infrastructure: %w", err)
	}
	return nil
}
