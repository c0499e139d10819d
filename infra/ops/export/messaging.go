package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// exportMessaging exports the conversations with their messages and calls, the groups, the outbox, and the webhook log.
func exportMessaging(ctx context.Context, e *exporter, tenants []string) error {
	if err := e.conversations(ctx); err != nil {
		return err
	}
	if err := e.groups(ctx); err != nil {
		return err
	}
	if err := e.outbox(ctx, tenants); err != nil {
		return err
	}
	return e.webhookEvents(ctx)
}

// conversations exports every conversation with its timeline.
//
// The inbox is in motion: a message puts its conversation on top, above where the export has got to, and somebody may
// archive one or take it back. So the lists are read again, quickly because what is exported already is passed by,
// until a whole reading brings nothing that is older than the export. Of a conversation only the id is kept.
func (e *exporter) conversations(ctx context.Context) error {
	exported := map[string]bool{}
	for {
		older := false
		for _, archived := range []string{"false", "true"} {
			err := e.pages(ctx, "/v1/conversations", url.Values{"archived": {archived}},
				func(rows []json.RawMessage) error {
					for _, row := range rows {
						id := textOf(row, "id")
						if id == "" {
							return errors.New("a conversation has no id")
						}
						if exported[id] {
							continue
						}
						first, err := e.conversation(ctx, id, row)
						if err != nil {
							return err
						}
						exported[id] = true
						older = older || first == "" || first < string(model.At(e.began))
					}
					return nil
				})
			if err != nil {
				return cannot("list the conversations", err)
			}
		}
		if !older {
			return nil
		}
	}
}

// conversation exports one, and says when its oldest message was written, "" if there is none. One whose customer is
// erased meanwhile ends there, and is counted.
func (e *exporter) conversation(ctx context.Context, id string, row json.RawMessage) (first string, err error) {
	if err := e.write(conversationLine, row); err != nil {
		return "", err
	}
	err = e.pages(ctx, "/v1/conversations/"+url.PathEscape(id)+"/messages", nil, func(rows []json.RawMessage) error {
		for _, row := range rows {
			if err := e.write(messageLine, row); err != nil {
				return err
			}
			first = textOf(row, "receivedAt")
		}
		return nil
	})
	if err == nil {
		err = e.pages(ctx, "/v1/conversations/"+url.PathEscape(id)+"/calls", nil,
			func(rows []json.RawMessage) error { return e.all(callLine, rows) })
	}
	if errors.Is(err, errGone) {
		e.counts["erased"]++
		return first, nil
	}
	return first, cannot("read the messages and calls of "+id, err)
}

// groups exports the groups of every number.
func (e *exporter) groups(ctx context.Context) error {
	var phones []string
	err := e.pages(ctx, "/v1/numbers", nil, func(rows []json.RawMessage) error {
		for _, row := range rows {
			phones = append(phones, textOf(row, "phoneNumberId"))
		}
		return nil
	})
	if err != nil {
		return cannot("list the numbers", err)
	}
	for _, phone := range phones {
		err := e.pages(ctx, "/v1/groups", url.Values{"phoneNumberId": {phone}},
			func(rows []json.RawMessage) error { return e.all(groupLine, rows) })
		if err != nil {
			return cannot("list the groups of "+phone, err)
		}
	}
	return nil
}

// all writes the rows of a page.
func (e *exporter) all(kind string, rows []json.RawMessage) error {
	for _, row := range rows {
		if err := e.write(kind, row); err != nil {
			return err
		}
	}
	return nil
}

// outbox exports the events that need attention. Failed events are read before dead letters: an event goes from the one
// to the other and never back, so none is missed, and one that is met twice is written once.
func (e *exporter) outbox(ctx context.Context, tenants []string) error {
	for _, tenant := range tenants {
		written := map[string]bool{}
		for _, state := range []string{"failed", "dead_letter"} {
			err := e.pages(ctx, "/v1/outbox", url.Values{"state": {state}, "tenantId": {tenant}},
				func(rows []json.RawMessage) error {
					for _, row := range rows {
						id := textOf(row, "id")
						if written[id] {
							continue
						}
						if err := e.write(outboxLine, row); err != nil {
							return err
						}
						written[id] = written[id] || state == "failed"
					}
					return nil
				})
			if err != nil {
				return cannot("list the outbox of "+tenant, err)
			}
		}
	}
	return nil
}

// atOnce is how many webhook events are read at a time: the API hands each out by itself.
const atOnce = 8

// webhookEvents exports the log with what was posted.
func (e *exporter) webhookEvents(ctx context.Context) error {
	wabas := e.wabas
	switch {
	case len(wabas) == 1 && wabas[0] == "none":
		return nil
	case len(wabas) == 0:
		wabas = []string{""} // the only one there is
	}
	for _, waba := range wabas {
		for _, kind := range whatsapp.Kinds() {
			query := url.Values{"kind": {kind}}
			if waba != "" {
				query.Set("wabaId", waba)
			}
			err := e.pages(ctx, "/v1/webhook-events", query,
				func(rows []json.RawMessage) error { return e.events(ctx, rows) })
			if err != nil && strings.Contains(err.Error(), "query.wabaId") {
				return fmt.Errorf("%w (name them: -waba 123,456; or -waba none)", err)
			}
			if err != nil {
				return cannot("list the webhook log", err)
			}
		}
	}
	return nil
}

// events exports a page of the log. One that is gone since the page was listed has expired, and is counted.
func (e *exporter) events(ctx context.Context, rows []json.RawMessage) error {
	found := make([]json.RawMessage, len(rows))
	reading, readingContext := errgroup.WithContext(ctx)
	reading.SetLimit(atOnce)
	for i, row := range rows {
		reading.Go(func() error {
			id := textOf(row, "id")
			err := e.get(readingContext, "/v1/webhook-events/"+url.PathEscape(id), nil, &found[i])
			if errors.Is(err, errGone) {
				return nil
			}
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return err
	}
	for _, event := range found {
		if event == nil {
			e.counts["expired"]++
			continue
		}
		if err := e.event(event); err != nil {
			return err
		}
	}
	return nil
}

// event writes an entry of the log. It has a kind of its own, which is called eventKind here.
func (e *exporter) event(event json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(event, &fields); err != nil {
		return errors.New("a webhook event is no JSON object")
	}
	fields["eventKind"] = fields["kind"]
	delete(fields, "kind")
	renamed, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return e.write(webhookLine, renamed)
}
