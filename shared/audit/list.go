package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// List reads a page of what was done to a target, the newest first, below a place; "" for the top. A reference shows as
// the record it stands for. next is the place of the page's last row, "" where no page follows.
func (s *Store) List(ctx context.Context, target Target, limit int32, after string) (records []model.AuditLog, next string, err error) {
	query := dynamo.Query{
		Table: tables.AuditLogs, Where: "targetKey = :t", Values: dynamo.Item{":t": dynamo.S(target.key())}, Backwards: true, Limit: limit,
	}
	if after != "" {
		query.After = dynamo.Item{"targetKey": dynamo.S(target.key()), "timestampLogId": dynamo.S(after)}
	}
	return s.page(ctx, query)
}

// ByActor reads a page of what a person has done, the newest first, below a place; "" for the top. A place is a time with an
// id, and not the row: what the row is about may be another tenant's than the one for whom the list is read. A record and
// the references to it have one place, and the page's end may leave references out: each shows the record once more.
func (s *Store) ByActor(ctx context.Context, subject string, limit int32, below string) (records []model.AuditLog, next string, err error) {
	query := dynamo.Query{
		Table: tables.AuditLogs, Index: "AuditLogsByActor", Where: "adminEcosystemId = :a",
		Values: dynamo.Item{":a": dynamo.S(subject)}, Backwards: true, Limit: limit,
	}
	if below != "" {
		query.Where += " AND timestampLogId < :below"
		query.Values[":below"] = dynamo.S(below)
	}
	return s.page(ctx, query)
}

// page reads a page of records, each in the place of a reference to it.
func (s *Store) page(ctx context.Context, query dynamo.Query) (records []model.AuditLog, next string, err error) {
	page, err := s.DB.Query(ctx, query)
	if err != nil {
		return nil, "", fmt.Errorf("list audit records: %w", err)
	}
	records = make([]model.AuditLog, len(page.Items))
	for i, item := range page.Items {
		if err := dynamo.Unmarshal(item, &records[i]); err != nil {
			return nil, "", err
		}
	}
	return records, dynamo.Text(page.Next, "timestampLogId"), s.follow(ctx, records)
}

// Latest is what was last done to a target; dynamo.ErrNotFound when nothing was.
func (s *Store) Latest(ctx context.Context, target Target) (model.AuditLog, error) {
	records, _, err := s.List(ctx, target, 1, "")
	if err != nil {
		return model.AuditLog{}, err
	}
	if len(records) == 0 {
		return model.AuditLog{}, dynamo.ErrNotFound
	}
	return records[0], nil
}

// First is what was first done to a target; dynamo.ErrNotFound when nothing was.
func (s *Store) First(ctx context.Context, target Target) (model.AuditLog, error) {
	records, _, err := s.page(ctx, dynamo.Query{
		Table: tables.AuditLogs, Where: "targetKey = :t", Values: dynamo.Item{":t": dynamo.S(target.key())}, Limit: 1,
	})
	if err != nil {
		return model.AuditLog{}, err
	}
	if len(records) == 0 {
		return model.AuditLog{}, dynamo.ErrNotFound
	}
	return records[0], nil
}

// Again reads a record as it is by now.
func (s *Store) Again(ctx context.Context, record model.AuditLog) (model.AuditLog, error) {
	again := []model.AuditLog{record}
	err := s.read(ctx, again, func(model.AuditLog) string { return record.TargetKey })
	return again[0], err
}

// follow puts the records that references stand for into their places.
func (s *Store) follow(ctx context.Context, records []model.AuditLog) error {
	return s.read(ctx, records, func(r model.AuditLog) string {
		var value map[string]any
		_ = json.Unmarshal(r.NewValue, &value) // a value of another shape is no reference
		if id, is := value[elsewhere].(string); is {
			return keys.AuditTarget(r.TargetType, id)
		}
		return ""
	})
}

// read replaces those records that are to be read under a target key; "" leaves one as it is.
func (s *Store) read(ctx context.Context, records []model.AuditLog, under func(model.AuditLog) string) error {
	refs := make([]dynamo.Ref, len(records))
	var wanted []dynamo.Ref
	for i, record := range records {
		if target := under(record); target != "" {
			refs[i] = dynamo.Ref{Table: tables.AuditLogs, Key: keys.AuditLog(target, record.TimestampLogID)}
			wanted = append(wanted, refs[i])
		}
	}
	if wanted == nil {
		return nil
	}
	found, err := s.DB.BatchGet(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read audit records: %w", err)
	}
	for i, ref := range refs {
		if item := ref.Found(found); item != nil {
			records[i] = model.AuditLog{}
			if err := dynamo.Unmarshal(item, &records[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
