package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// leftOutLine is the kind of the lines that say what is kept of a person and not exported.
const leftOutLine = "leftOut"

// person is somebody whose data alone is exported.
type person struct{ address, reason string }

// exportPerson exports what each tenant keeps of a person. The kind of a line is the record's.
func (e *exporter) exportPerson(ctx context.Context, tenants []string) error {
	of := e.of
	clear(e.counts) // of a person only what there is
	for _, tenant := range tenants {
		body, err := json.Marshal(map[string]string{"tenantId": tenant, "address": of.address, "reason": of.reason})
		if err != nil {
			return err
		}
		last, err := e.pagesOf(ctx, call{method: http.MethodPost, path: "/v1/exports", body: body}, e.records)
		if errors.Is(err, errGone) {
			err = errors.New("the token's bearer may not")
		}
		if err != nil {
			return cannot("export the person from "+tenant, err)
		}
		var left []json.RawMessage
		if text, known := last["leftOut"]; known {
			if err := json.Unmarshal(text, &left); err != nil {
				return errors.New("the answer does not say what is left out")
			}
		}
		if err := e.all(leftOutLine, left); err != nil {
			return err
		}
	}
	return e.end()
}

// records writes a page of records.
func (e *exporter) records(rows []json.RawMessage) error {
	for _, row := range rows {
		var fields map[string]json.RawMessage
		kind := textOf(row, "kind")
		if err := json.Unmarshal(row, &fields); err != nil || kind == "" {
			return errors.New("a record has no kind")
		}
		delete(fields, "kind")
		rest, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		if err := e.write(kind, rest); err != nil {
			return err
		}
	}
	return nil
}

// said says how much was exported of a person.
func (l *lines) said() string {
	total := -l.counts[leftOutLine] - l.counts[endLine]
	for _, n := range l.counts {
		total += n
	}
	return fmt.Sprintf("exported %d records of the person", total)
}
