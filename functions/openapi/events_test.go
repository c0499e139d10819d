package main

import (
	"encoding/json"
	"net/http"
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
			if err := json.Unmarshal([]byte(got.Body), &document); err != nil || got.StatusCode != http.StatusOK || document.Paths["/v1/conversations"] == nil {
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
	handle := httpapi.NewHandler(describe(domains), domains...)
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
