package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
)

// base begins the paths of what people do with their own sessions.
const base = "/v1/community"

// op returns an operation for people who have signed in.
func op(method, path, id, tag, summary, description string, errors ...int) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: method, Path: base + path, Tags: []string{tag}, Summary: summary,
		Description: description, Errors: errors,
	}
}

// quiet returns an operation whose answer has nothing to show.
func quiet(op huma.Operation) huma.Operation {
	op.DefaultStatus = http.StatusNoContent
	return op
}

// creates returns an operation that makes something.
func creates(op huma.Operation) huma.Operation {
	op.DefaultStatus = http.StatusCreated
	return op
}

// Errors that operations answer beside those of every operation.
const (
	missing  = http.StatusNotFound
	conflict = http.StatusConflict
)

// actorOf returns a person and their request, for an audit record.
func actorOf(ctx context.Context, by communitymodel.User) audit.Actor {
	c := httpapi.CallerOf(ctx)
	return audit.Actor{
		Subject: string(by.ID), Name: by.Username, RequestID: c.RequestID, IP: c.IP, UserAgent: c.UserAgent}
}

// names parses ids of a request. A wrong one is no one's.
func names(texts []string) ([]model.Name, error) {
	all := make([]model.Name, len(texts))
	for i, text := range texts {
		id, err := model.Parse[model.Name](text)
		if err != nil {
			return nil, err
		}
		all[i] = id
	}
	return all, nil
}
