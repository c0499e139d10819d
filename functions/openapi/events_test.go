package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
)

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(*testing.T, events.APIGatewayV2HTTPResponse){
		"description": func(t *testing.T, got events.APIGatewayV2HTTPResponse) {
			var document struct{ Paths map[string]any }
			if err := json.Unmarshal([]byte(got.Body), &document); err != nil || got.StatusCode != http.StatusOK ||
				document.Paths["/v1/conversations"] == nil {
				t.Errorf("%d %.200s: %v", got.StatusCode, got.Body, err)
			}
		},
		"unknown-path": func(t *testing.T, got events.APIGatewayV2HTTPResponse) {
			var problem huma.ErrorModel
			if err := json.Unmarshal([]byte(got.Body), &problem); err != nil || got.StatusCode != http.StatusNotFound ||
				problem.Status != http.StatusNotFound || got.Headers["content-type"] != "application/problem+json" {
				t.Errorf("%d %v %s: %v", got.StatusCode, got.Headers, got.Body, err)
			}
		},
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "openapi", cases)
	handle := httpapi.NewHandler(described(t), domains...)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := handle(t.Context(), samples[name])
			if err != nil {
				t.Fatal(err)
			}
			check(t, got)
		})
	}
}

// described is the mux of the description.
func described(t *testing.T) *http.ServeMux {
	t.Helper()
	mux, err := describe(domains)
	if err != nil {
		t.Fatal(err)
	}
	return mux
}

func TestEveryBodyIsShownWithAnExample(t *testing.T) {
	answer := httptest.NewRecorder()
	described(t).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, operations := range document.Paths {
		for _, op := range operations {
			if body, has := op.RequestBody.Content["application/json"]; has && len(body.Example) == 0 {
				t.Errorf("%s has a body and no example", op.OperationID)
			} else if has {
				shown++
			}
		}
	}
	if shown == 0 {
		t.Error("no example is shown")
	}
}
