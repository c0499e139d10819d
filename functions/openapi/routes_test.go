package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/infra/local/front"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/httpapi"
)

// routed returns the function that the topology's routes send a request to, "" for none, and for whom the route is.
func routed(method, path string) (function string, callers topology.Callers) {
	gateway := front.Gateway{
		Invoke: func(_ context.Context, reached string, _ []byte) ([]byte, error) {
			function = reached[:len(reached)-1]
			callers = topology.Callers(reached[len(reached)-1] - '0')
			return []byte(`{"statusCode":204}`), nil
		},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	for _, f := range topology.Functions {
		for _, route := range f.Routes {
			gateway.Routes = append(gateway.Routes, front.Route{ // without tokens
				Method: route.Method, Path: route.Path, For: topology.Everybody,
				Function: f.Name + string('0'+rune(route.For))})
		}
	}
	gateway.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
	return function, callers
}

// callersOf returns for whom an operation is.
func callersOf(op *huma.Operation) topology.Callers {
	for _, alternative := range op.Security {
		if slices.Contains(alternative["session"], httpapi.CommunityUse) {
			return topology.Sessions
		}
	}
	if op.Security != nil && len(op.Security) == 0 {
		return topology.Everybody
	}
	return topology.Operators
}

// An operation that is described and not routed could not be called.
func TestEveryOperationReachesTheFunctionOfItsDomain(t *testing.T) {
	seen := map[string]bool{}
	for _, domain := range domains {
		api := httpapi.New(http.NewServeMux(), domain)
		domain.Describe(api)
		var prefixes, described []string
		for _, f := range topology.Functions {
			if f.Name != domain.Name+"-api" {
				continue
			}
			for _, route := range f.Routes {
				prefix := strings.TrimSuffix(route.Path, "/{proxy+}")
				if route.Method == "ANY" && !slices.Contains(prefixes, prefix) {
					prefixes = append(prefixes, prefix)
				}
			}
		}
		for path, item := range httpapi.Describe(api).Paths {
			if seen[path] {
				t.Errorf("two domains have %s", path)
			}
			seen[path] = true
			if item.Post != nil && callersOf(item.Post) == topology.Everybody { // it has a route of its own
				if got, callers := routed(http.MethodPost, path); got != domain.Name+"-api" ||
					callers != topology.Everybody {
					t.Errorf("POST %s reaches %q, for %v", path, got, callers)
				}
				continue
			}
			below := slices.IndexFunc(prefixes,
				func(prefix string) bool { return strings.HasPrefix(path+"/", prefix+"/") })
			if below < 0 {
				t.Errorf("%s lies below no route of %s", path, domain.Name)
			} else if !slices.Contains(described, prefixes[below]) {
				described = append(described, prefixes[below])
			}
			concrete := strings.NewReplacer("{", "", "}", "").Replace(path)
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
				if got, _ := routed(method, concrete); got != domain.Name+"-api" {
					t.Errorf("%s %s reaches %q", method, path, got)
				}
			}
			for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
				if op == nil {
					continue
				}
				if _, callers := routed(op.Method, concrete); callers != callersOf(op) {
					t.Errorf("%s is for %v, and its route for %v", op.OperationID, callersOf(op), callers)
				}
			}
		}
		slices.Sort(prefixes)
		slices.Sort(described)
		if !slices.Equal(prefixes, described) {
			t.Errorf("%s has the routes %v and operations below %v", domain.Name, prefixes, described)
		}
	}
	if len(seen) == 0 {
		t.Error("no domain has an operation")
	}
}

func TestWhatNoDomainHasReachesTheDescription(t *testing.T) {
	for _, path := range []string{
		"/v1/parcels", "/v1/conversationsx", "/v1/conversations/", "/openapi.json", "/docs", "/docs/rapidoc.js"} {
		if got, _ := routed(http.MethodGet, path); got != "openapi" {
			t.Errorf("%s reaches %q", path, got)
		}
	}
}

// Were a request for an operation to come here, there would be nothing behind it.
func TestTheDescriptionNeverRunsAnOperation(t *testing.T) {
	handle := httpapi.NewHandler(described(t), domains...)
	for method, want := range map[string]int{
		http.MethodGet: http.StatusMethodNotAllowed, http.MethodPut: http.StatusMethodNotAllowed} {
		event := events.APIGatewayV2HTTPRequest{RawPath: "/v1/me"}
		event.RequestContext.HTTP.Method = method
		got, err := handle(t.Context(), event)
		if err != nil || got.StatusCode != want || got.Headers["allow"] != http.MethodGet {
			t.Errorf("%s: %d %v %v", method, got.StatusCode, got.Headers, err)
		}
	}
}
