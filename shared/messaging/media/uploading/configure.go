package uploading

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Platform returns the files that WhatsApp takes, which may be uploaded where nothing else is configured.
func Platform() Types { return maps.Clone(platform) }

// Beyond returns a problem for types or sizes that WhatsApp does not take; nil for none.
func (t Types) Beyond(field string) error {
	for name, size := range t {
		if size < 1 || size > platform[name] {
			return problem.New("beyond what WhatsApp takes", problem.Error{
				Class: problem.Invalid, Field: field + "." + name,
				Detail: fmt.Sprintf("WhatsApp takes at most %d bytes of this type.", platform[name]),
			})
		}
	}
	return nil
}

// Configure sets which files may be uploaded. It replaces what was set before; none sets what WhatsApp takes. The last
// call wins.
func Configure(ctx context.Context, db *dynamo.Client, types Types, now time.Time) error {
	if len(types) == 0 {
		types = platform
	}
	item, err := dynamo.Marshal(model.MediaTypes{
		PK: keys.MediaTypes().Partition, ItemType: model.ItemConfig, SupportedTypes: types, UpdatedAt: model.At(now)})
	if err != nil {
		return err
	}
	if err := db.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
		return fmt.Errorf("configure the types of files: %w", err)
	}
	return nil
}
