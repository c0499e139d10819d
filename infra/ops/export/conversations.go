package export

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
)

// The kinds of lines of companies.
const (
	companyLine             = "company"
	companyProjectLine      = "companyProject"
	companyConversationLine = "companyConversation"
)

// exportConversations exports the companies of each tenant, with their projects and conversations. A deployment without
// them has nothing to export.
func exportConversations(ctx context.Context, e *exporter, tenants []string) error {
	for _, tenant := range tenants {
		err := e.pages(ctx, "/v1/companies", url.Values{"tenantId": {tenant}}, func(rows []json.RawMessage) error {
			for _, row := range rows {
				if err := e.company(ctx, row); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, errGone) {
			return nil
		}
		if err != nil {
			return cannot("list the companies of "+tenant, err)
		}
	}
	return nil
}

// company exports a company with its projects and its conversations, each with its whole history.
func (e *exporter) company(ctx context.Context, row json.RawMessage) error {
	id := textOf(row, "id")
	if id == "" {
		return errors.New("a company has no id")
	}
	if err := e.write(companyLine, row); err != nil {
		return err
	}
	path := "/v1/companies/" + url.PathEscape(id)
	err := e.pages(ctx, path+"/projects", nil,
		func(rows []json.RawMessage) error { return e.all(companyProjectLine, rows) })
	if err != nil {
		return err
	}
	return e.pages(ctx, path+"/conversations", nil, func(rows []json.RawMessage) error {
		for _, row := range rows {
			if err := e.companyConversation(ctx, path, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// companyConversation exports a conversation. One that was erased meanwhile is left out.
func (e *exporter) companyConversation(ctx context.Context, company string, row json.RawMessage) error {
	var of struct {
		ProjectID, RequestID, Channel string
		Recipient                     struct{ Tel, Email string }
	}
	if err := json.Unmarshal(row, &of); err != nil {
		return err
	}
	recipient := of.Recipient.Tel
	if of.Channel == "email" {
		recipient = of.Recipient.Email
	}
	var whole json.RawMessage
	err := e.get(ctx, company+"/projects/"+url.PathEscape(of.ProjectID)+"/recipients/"+url.PathEscape(recipient)+
		"/conversations/"+url.PathEscape(of.RequestID), nil, &whole)
	if errors.Is(err, errGone) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.write(companyConversationLine, whole)
}
