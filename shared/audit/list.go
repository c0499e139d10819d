package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// List returns a page of the records about a target, newest first, from below a place ("" for the newest). A reference
// is returned as the record it points to. next is the place of the page's last row, "" if no page follows.
func (s *Log) List(ctx context.Context, target Target, limit int32,
	after string) (records []model.AuditLog, next string, err error) {
	query := dynamo.Query{
		Table: tables.AuditLogs, Where: "targetKey = :t", Values: dynamo.Item{":t": dynamo.S(target.key())},
		Backwards: true, Limit: limit,
	}
	if after != "" {
		query.After = dynamo.Item{"targetKey": dynamo.S(target.key()), "timestampLogId": dynamo.S(after)}
	}
	return s.page(ctx, query)
}

// ByActor returns a page of a person's records, newest first, from below a place ("" for the newest). A place is a time
// with an id and not the row's key, because the row may be about another tenant's data. A record and its references
// share one place, and a page's end may leave out references: each of them would only show the record once more.
func (s *Log) ByActor(ctx context.Context, subject string, limit int32,
	below string) (records []model.AuditLog, next string, err error) {
	query := dynamo.Query{
		Table: tables.AuditLogs, Index: tables.IndexAuditByActor, Where: "adminEcosystemId = :a",
		Values: dynamo.Item{":a": dynamo.S(subject)}, Backwards: true, Limit: limit,
	}
	if below != "" {
		query.Where += " AND timestampLogId < :below"
		query.Values[":below"] = dynamo.S(below)
	}
	return s.page(ctx, query)
}

// Selection selects records: those about a target, or those of a person.
type Selection struct {
	Target Target
	Actor  string // the person's subject, in place of a target
	// From and Until select the records of a time; "" for no limit. A record at Until is left out.
	From, Until model.Time
}

// Select returns a page of the selected records, newest first, from below a place ("" for the newest). A reference is
// returned as the record it points to.
func (s *Log) Select(ctx context.Context, of Selection, limit int, below string) ([]model.AuditLog, error) {
	query := dynamo.Query{
		Table: tables.AuditLogs, Where: "targetKey = :of", Values: dynamo.Item{":of": dynamo.S(of.Target.key())},
		Backwards: true, Limit: int32(limit),
	}
	if of.Actor != "" {
		query.Index, query.Where, query.Values[":of"] = tables.IndexAuditByActor, "adminEcosystemId = :of",
			dynamo.S(of.Actor)
	}
	if until := string(of.Until); until != "" && (below == "" || until < below) {
		below = until
	}
	switch from := string(of.From); {
	case from != "" && below == "":
		query.Where += " AND timestampLogId >= :from"
		query.Values[":from"] = dynamo.S(from)
	case from != "" && from >= below:
		return nil, nil
	case from != "": // a place that was below is read again, and left out
		query.Where += " AND timestampLogId BETWEEN :from AND :below"
		query.Values[":from"], query.Values[":below"] = dynamo.S(from), dynamo.S(below)
		query.Limit++
	case below != "":
		query.Where += " AND timestampLogId < :below"
		query.Values[":below"] = dynamo.S(below)
	}
	records, _, err := s.page(ctx, query)
	records = slices.DeleteFunc(records,
		func(r model.AuditLog) bool { return below != "" && r.TimestampLogID >= below })
	return records[:min(len(records), limit)], err
}

// page returns a page of records. References are replaced by the records they point to.
func (s *Log) page(ctx context.Context, query dynamo.Query) (records []model.AuditLog, next string, err error) {
	page, err := s.DB.Query(ctx, query)
	if err != nil {
		return nil, "", fmt.Errorf("list audit records: %w", err)
	}
	if records, err = dynamo.Entities[model.AuditLog](page.Items); err != nil {
		return nil, "", err
	}
	return records, dynamo.Text(page.Next, "timestampLogId"), s.resolveReferences(ctx, records)
}

// Latest returns the newest record about a target, or dynamo.ErrNotFound.
func (s *Log) Latest(ctx context.Context, target Target) (model.AuditLog, error) {
	records, _, err := s.List(ctx, target, 1, "")
	if err != nil {
		return model.AuditLog{}, err
	}
	if len(records) == 0 {
		return model.AuditLog{}, dynamo.ErrNotFound
	}
	return records[0], nil
}

// First returns the oldest record about a target, or dynamo.ErrNotFound.
func (s *Log) First(ctx context.Context, target Target) (model.AuditLog, error) {
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

// Reload reads a record again.
func (s *Log) Reload(ctx context.Context, record model.AuditLog) (model.AuditLog, error) {
	again := []model.AuditLog{record}
	err := s.read(ctx, again, func(model.AuditLog) string { return record.TargetKey })
	return again[0], err
}

// resolveReferences replaces references by the records they point to.
func (s *Log) resolveReferences(ctx context.Context, records []model.AuditLog) error {
	return s.read(ctx, records, func(r model.AuditLog) string {
		var value map[string]any
		_ = json.Unmarshal(r.NewValue, &value) // a value of another shape is no reference
		if id, is := value[referenceTo].(string); is {
			return keys.AuditTarget(r.TargetType, id)
		}
		return ""
	})
}

// read replaces each record by what is stored under the target key that under returns; "" leaves the record as it is.
func (s *Log) read(ctx context.Context, records []model.AuditLog, under func(model.AuditLog) string) error {
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
