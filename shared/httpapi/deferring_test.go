package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

// Requests for operations that are prepared meanwhile must find them whole, with the checks of their bodies.
func TestAnOperationIsPreparedByItsFirstRequest(t *testing.T) {
	const operations, requests = 12, 4
	mux := http.NewServeMux()
	api := httpapi.New(mux)
	group := huma.NewGroup(api)
	group.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		ctx.SetHeader("X-Group", "yes")
		next(ctx)
	})
	type in struct {
		Body struct {
			Names []string `json:"names"`
		}
	}
	for i := range operations {
		httpapi.Register(group, huma.Operation{
			OperationID: fmt.Sprint("put-", i), Method: http.MethodPut, Path: fmt.Sprint("/v1/things-", i),
			Security: httpapi.NeedsNothing(),
		}, func(_ context.Context, given *in) (*struct{ Body []string }, error) {
			return &struct{ Body []string }{append(given.Body.Names, fmt.Sprint(i))}, nil
		})
	}
	if n := len(api.OpenAPI().Paths); n != 0 {
		t.Errorf("%d operations are prepared before the first request", n)
	}
	var all sync.WaitGroup
	for n := range operations * requests {
		all.Go(func() {
			i := n % operations
			call := func(body string, status int, answer string) {
				event := request("PUT", fmt.Sprint("/v1/things-", i))
				event.Headers = map[string]string{"content-type": "application/json"}
				event.Body = body
				got := serve(t, mux, event)
				if got.StatusCode != status || answer != "" && got.Body != answer {
					t.Errorf("operation %d: %s is answered %d %s", i, body, got.StatusCode, got.Body)
				}
				if got.Headers["x-group"] != "yes" {
					t.Errorf("operation %d: the group is left out", i)
				}
			}
			call(`{"names":["a"]}`, 200, fmt.Sprintf(`["a","%d"]`+"\n", i))
			call(`{"names":null}`, 422, "") // no list of the API may be null
		})
	}
	all.Wait()
	if n := len(httpapi.Describe(api).Paths); n != operations {
		t.Errorf("%d operations are described, want %d", n, operations)
	}
}

func TestADescriptionHasWhatNobodyHasAskedFor(t *testing.T) {
	api := httpapi.New(http.NewServeMux())
	httpapi.Register(api, huma.Operation{
		OperationID: "get-thing", Method: http.MethodGet, Path: "/v1/things", Summary: "Get a thing",
		Security: httpapi.Needs(httpapi.InboxWrite),
	}, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	for range 2 {
		op := httpapi.Describe(api).Paths["/v1/things"].Get
		if want := "Get a thing. Needs the scope `haatline/inbox.write`."; op.Description != want {
			t.Errorf("%q", op.Description)
		}
	}
}
