package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
)

// The kinds of lines of cards.
const (
	cardProgramLine      = "cardProgram"
	cardUserLine         = "cardUser"
	cardScoreLine        = "cardScore"
	cardRequestLine      = "cardRequest"
	cardLine             = "card"
	cardTransactionLine  = "cardTransaction"
	cardNotificationLine = "cardNotification"
)

// exportCards exports the card program, the requests with their notifications, and the users who have made them, with
// their scores, cards and transactions. No list leads to a user who has never asked for a card. A deployment without
// cards has nothing to export.
func exportCards(ctx context.Context, e *exporter, tenants []string) error {
	for _, tenant := range tenants {
		var program json.RawMessage
		err := e.get(ctx, "/v1/cards/program", url.Values{"tenantId": {tenant}}, &program)
		switch {
		case errors.Is(err, errGone):
			return nil
		case errors.Is(err, errConflict):
			continue // no program: nobody can ask for a card
		case err != nil:
			return cannot("read the card program of "+tenant, err)
		}
		if err := e.write(cardProgramLine, program); err != nil {
			return err
		}
		if err := e.cardRequests(ctx, tenant); err != nil {
			return err
		}
	}
	return nil
}

// cardRequests exports a tenant's requests. Pending ones are read before those that are decided: a request goes from
// the one to the other and never back, so none is missed, and one that is met twice is written once.
func (e *exporter) cardRequests(ctx context.Context, tenant string) error {
	requests, users := map[string]bool{}, map[string]bool{}
	for _, status := range []string{"pending", "approved", "rejected"} {
		err := e.pages(ctx, "/v1/cards/requests", url.Values{"tenantId": {tenant}, "status": {status}},
			func(rows []json.RawMessage) error {
				for _, row := range rows {
					id, user := textOf(row, "id"), textOf(row, "userId")
					if id == "" || user == "" {
						return errors.New("a card request has no id or no user")
					}
					if requests[id] {
						continue
					}
					requests[id] = true
					if err := e.cardRequest(ctx, id, row); err != nil {
						return err
					}
					if users[user] {
						continue
					}
					users[user] = true
					if err := e.cardUser(ctx, user); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil {
			return cannot("list the card requests of "+tenant, err)
		}
	}
	return nil
}

// cardRequest exports one request with its notifications.
func (e *exporter) cardRequest(ctx context.Context, id string, row json.RawMessage) error {
	if err := e.write(cardRequestLine, row); err != nil {
		return err
	}
	err := e.cardRows(ctx, "/v1/cards/notifications", url.Values{"requestId": {id}}, cardNotificationLine)
	if errors.Is(err, errGone) {
		return nil // nobody was to be told
	}
	return err
}

// cardUser exports one user with what is theirs.
func (e *exporter) cardUser(ctx context.Context, id string) error {
	path := "/v1/cards/users/" + url.PathEscape(id)
	var user json.RawMessage
	if err := e.get(ctx, path, nil, &user); err != nil {
		return fmt.Errorf("card user %s: %w", id, err)
	}
	if err := e.write(cardUserLine, user); err != nil {
		return err
	}
	if err := e.cardRows(ctx, path+"/scores", nil, cardScoreLine); err != nil {
		return err
	}
	return e.pages(ctx, path+"/cards", nil, func(rows []json.RawMessage) error {
		for _, row := range rows {
			if err := e.write(cardLine, row); err != nil {
				return err
			}
			if err := e.cardRows(ctx, path+"/cards/"+url.PathEscape(textOf(row, "id"))+"/transactions", nil,
				cardTransactionLine); err != nil {
				return err
			}
		}
		return nil
	})
}

// cardRows exports a list, each row as a line.
func (e *exporter) cardRows(ctx context.Context, path string, query url.Values, kind string) error {
	return e.pages(ctx, path, query, func(rows []json.RawMessage) error {
		for _, row := range rows {
			if err := e.write(kind, row); err != nil {
				return err
			}
		}
		return nil
	})
}
