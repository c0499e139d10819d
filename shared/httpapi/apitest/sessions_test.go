package apitest_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// This API of notes has operations for people in sessions, one for operators, and one for everybody. A note belongs to
// one person of a tenant.

type belongings struct{ tenant, user, note string }

func noteKey(tenant, user, note string) keys.Key {
	return keys.Key{PartitionName: "ecosystemId", Partition: tenant, SortName: "requestId", Sort: user + "." + note}
}

// session returns a person of a tenant in a session.
func session(tenant, user string) *apitest.Caller {
	return &apitest.Caller{Subject: user, Session: "session-of-" + user, Tenant: tenant}
}

// notes returns those of a tenant whose keys begin with a text.
func notes(ctx context.Context, db *dynamo.Client, tenant, begin string) ([]string, error) {
	page, err := db.Query(ctx, dynamo.Query{
		Table: tables.CardRequests, Where: "ecosystemId = :tenant AND begins_with(requestId, :begin)",
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":begin": dynamo.S(begin)},
	})
	var texts []string
	for _, item := range page.Items {
		texts = append(texts, dynamo.Text(item, "text"))
	}
	return texts, err
}

type (
	listInput struct{ httpapi.Page }
	noteInput struct {
		ID string `path:"id" maxLength:"50"`
	}
	writeInput struct {
		ID   string `path:"id" maxLength:"50"`
		Body struct {
			Text string `json:"text" maxLength:"50"`
		}
	}
	countInput struct {
		TenantID string `query:"tenantId" required:"true" maxLength:"50"`
	}
	signInInput struct {
		Body struct {
			Phone string `json:"phone" maxLength:"20"`
		}
	}
	text[T any] struct{ Body T }
)

// get answers with one of the caller's notes.
func get(db *dynamo.Client) func(context.Context, *noteInput) (*text[httpapi.List[string]], error) {
	return func(ctx context.Context, in *noteInput) (*text[httpapi.List[string]], error) {
		by := httpapi.CallerOf(ctx)
		found, err := notes(ctx, db, string(by.SessionTenant), by.Subject+"."+in.ID)
		if err == nil && len(found) == 0 {
			err = httpapi.NotFound()
		}
		return &text[httpapi.List[string]]{httpapi.List[string]{Items: found}}, err
	}
}

// list answers with a page of the caller's notes.
func list(db *dynamo.Client) func(context.Context, *listInput) (*text[httpapi.List[string]], error) {
	return func(ctx context.Context, in *listInput) (*text[httpapi.List[string]], error) {
		by := httpapi.CallerOf(ctx)
		after, err := in.After()
		if err != nil {
			return nil, err
		}
		found, err := notes(ctx, db, string(by.SessionTenant), by.Subject+".")
		if err != nil {
			return nil, err
		}
		page, end := httpapi.CutWhole(in.Page, after, found,
			func(text string) httpapi.Position { return httpapi.Position{At: text} })
		cursor, err := httpapi.Seal(ctx, end.Cursor())
		return &text[httpapi.List[string]]{httpapi.List[string]{Items: page, Cursor: cursor}}, err
	}
}

// write changes one of the caller's notes.
func write(db *dynamo.Client) func(context.Context, *writeInput) (*struct{}, error) {
	return func(ctx context.Context, in *writeInput) (*struct{}, error) {
		by := httpapi.CallerOf(ctx)
		err := db.Update(ctx, dynamo.Update{
			Table: tables.CardRequests, Key: noteKey(string(by.SessionTenant), by.Subject, in.ID),
			Do: "SET #text = :text", If: "attribute_exists(requestId)",
			Values: dynamo.Item{":text": dynamo.S(in.Body.Text)},
		})
		if _, missing := errors.AsType[*dynamo.ConditionFailed](err); missing {
			err = httpapi.NotFound()
		}
		return nil, err
	}
}

// count answers an operator with how many notes a tenant has.
func count(db *dynamo.Client) func(context.Context, *countInput) (*text[int], error) {
	return func(ctx context.Context, in *countInput) (*text[int], error) {
		if !httpapi.CallerOf(ctx).Sees(model.TenantID(in.TenantID)) {
			return nil, httpapi.NotFound()
		}
		found, err := notes(ctx, db, in.TenantID, "user-")
		return &text[int]{len(found)}, err
	}
}

// signIn answers everybody the same, and nobody is its caller.
func signIn(db *dynamo.Client) func(context.Context, *signInInput) (*struct{}, error) {
	return func(ctx context.Context, in *signInInput) (*struct{}, error) {
		if by := httpapi.CallerOf(ctx); by.Subject != "" || by.IP == "" || by.RequestID == "" {
			return nil, errors.New("the caller of an operation for everybody is somebody, or comes from nowhere")
		}
		return nil, db.Put(ctx, dynamo.Put{Table: tables.CardRequests, If: dynamo.Unconditional, Item: dynamo.Item{
			"ecosystemId": dynamo.S("sign-ins"), "requestId": dynamo.S(in.Body.Phone)}})
	}
}

func register(client *dynamo.Client, _ func() string) *apitest.Server {
	mux := http.NewServeMux()
	api := httpapi.New(mux)
	httpapi.Register(api, huma.Operation{
		OperationID: "list-notes", Method: http.MethodGet, Path: "/v1/notes", Security: httpapi.NeedsSession(),
	}, list(client))
	httpapi.Register(api, huma.Operation{
		OperationID: "get-note", Method: http.MethodGet, Path: "/v1/notes/{id}", Security: httpapi.NeedsSession(),
	}, get(client))
	httpapi.Register(api, huma.Operation{
		OperationID: "write-note", Method: http.MethodPut, Path: "/v1/notes/{id}", Security: httpapi.NeedsSession(),
	}, write(client))
	httpapi.Register(api, huma.Operation{
		OperationID: "count-notes", Method: http.MethodGet, Path: "/v1/note-counts",
		Security: httpapi.Needs(httpapi.InboxRead),
	}, count(client))
	httpapi.Register(api, huma.Operation{
		OperationID: "sign-in", Method: http.MethodPost, Path: "/v1/note-sessions", Security: httpapi.NeedsNothing(),
	}, signIn(client))
	return &apitest.Server{API: api, Handler: httpapi.NewHandler(apitest.Cursors().On(mux))}
}

func furnish(t testing.TB, db *dynamotest.DB, digit string) belongings {
	b := belongings{tenant: apitest.TenantOf(digit), user: "user-" + digit, note: "note-" + digit + "-1"}
	for _, note := range []string{b.note, "note-" + digit + "-2"} {
		key := noteKey(b.tenant, b.user, note)
		db.Seed(t, tables.CardRequests, struct {
			Tenant string `dynamodbav:"ecosystemId"`
			ID     string `dynamodbav:"requestId"`
			Text   string `dynamodbav:"text"`
		}{key.Partition, key.Sort, apitest.SecretOf(digit) + note})
	}
	return b
}

func TestAnAPIOfSessionsIsWalked(t *testing.T) {
	t.Chdir("testdata") // there are its examples
	reads := []string{"count-notes"}
	apitest.Walk(t, apitest.API[belongings]{
		Tables:   []tables.Table{tables.CardRequests},
		Register: func() func(*dynamo.Client, func() string) *apitest.Server { return register },
		Furnish:  furnish,
		Absent:   belongings{tenant: "tenant-0", user: "user-0", note: "note-0"},
		Sessions: func(b belongings) (*apitest.Caller, []*apitest.Caller) {
			return session(b.tenant, b.user), []*apitest.Caller{session(b.tenant, "user-9")}
		},
		Requests: map[string]func(b belongings) []apitest.Request{
			"list-notes": func(belongings) []apitest.Request { return []apitest.Request{{Path: "/v1/notes"}} },
			"get-note": func(b belongings) []apitest.Request {
				return []apitest.Request{{Path: "/v1/notes/" + b.note}}
			},
			"write-note": func(b belongings) []apitest.Request {
				return []apitest.Request{{Path: "/v1/notes/" + b.note, Body: `{"text":"bread"}`}}
			},
			"count-notes": func(b belongings) []apitest.Request {
				return []apitest.Request{{Path: "/v1/note-counts", Query: url.Values{"tenantId": {b.tenant}}}}
			},
			"sign-in": func(belongings) []apitest.Request {
				return []apitest.Request{{Path: "/v1/note-sessions", Body: `{"phone":"+919876543210"}`}}
			},
		},
		Lists: func(belongings) []apitest.Request {
			return []apitest.Request{{Path: "/v1/notes", Query: url.Values{"limit": {"1"}}}}
		},
		Roles: map[string][]string{
			"operator": reads, "supervisor": reads, "administrator": reads, "auditor": reads, "owner": reads,
			"cashier": nil, "cardholder": nil,
		},
		Changes: map[string][]apitest.Change{
			"write-note": {{Name: "of one's own", Seed: func(t testing.TB, db *dynamotest.DB) apitest.Request {
				b := furnish(t, db, "1")
				return apitest.Request{
					By: session(b.tenant, b.user), Path: "/v1/notes/" + b.note, Body: `{"text":"bread"}`}
			}}},
			"sign-in": {{Name: "anybody", Seed: func(testing.TB, *dynamotest.DB) apitest.Request {
				return apitest.Request{Path: "/v1/note-sessions", Body: `{"phone":"+919876543210"}`}
			}}},
		},
	})
}
