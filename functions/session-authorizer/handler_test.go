package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/sessiontoken"
)

type (
	question = events.APIGatewayV2CustomAuthorizerV2Request
	answer   = events.APIGatewayV2CustomAuthorizerSimpleResponse
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func keys(context.Context) (string, error) { return "local-cursor-keys", nil }

func asking(authorization string) question {
	return question{
		Version: "2.0", Type: "REQUEST", RouteKey: "ANY /v1/things", IdentitySource: []string{authorization},
		Headers: map[string]string{"authorization": authorization},
	}
}

func handler(log io.Writer) Handler {
	return Handler{
		Keys: keys, Now: func() time.Time { return noon }, Log: slog.New(slog.NewJSONHandler(log, nil))}
}

// The sample's token was signed with the key of the local cloud, and is good for ever.
func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]answer{
		"good": {IsAuthorized: true, Context: map[string]any{
			"sub": "user-0001", "session": "session-0001", "tenant": "demo"}},
		"forged": {},
	}
	samples := dynamotest.Samples[question](t, "session-authorizer", cases)
	for name, want := range cases {
		got, err := handler(io.Discard).Handle(t.Context(), samples[name])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestOnlyABearerOfAGoodTokenComesIn(t *testing.T) {
	token, err := sessiontoken.Keys(keys).Sign(t.Context(), sessiontoken.Token{
		Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: noon.Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	for authorization, want := range map[string]bool{
		"Bearer " + token: true, "bearer  " + token + " ": true,
		token: false, "Basic " + token: false, "Bearer": false, "Bearer ": false, "": false,
		"Bearer " + token[1:]: false, "Bearer " + token + " x": false, "Bearer Bearer " + token: false,
	} {
		var log strings.Builder
		got, err := handler(&log).Handle(t.Context(), asking(authorization))
		if err != nil || got.IsAuthorized != want || (got.Context != nil) != want {
			t.Errorf("%q: %+v, %v", authorization, got, err)
		}
		if strings.Contains(log.String(), token[40:60]) || want != (log.Len() == 0) {
			t.Errorf("%q is logged as %s", authorization, log.String())
		}
	}
	two := asking("Bearer " + token)
	two.IdentitySource = append(two.IdentitySource, two.IdentitySource...)
	late := handler(io.Discard)
	late.Now = func() time.Time { return noon.Add(time.Minute) }
	for name, ask := range map[string]func() (answer, error){
		"two identities": func() (answer, error) { return handler(io.Discard).Handle(t.Context(), two) },
		"an old token":   func() (answer, error) { return late.Handle(t.Context(), asking("Bearer "+token)) },
	} {
		if got, err := ask(); err != nil || got.IsAuthorized {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Where nobody can tell, the answer is neither yes nor no: the gateway answers 500, and the caller asks again.
func TestWithoutKeysThereIsNoAnswer(t *testing.T) {
	h := handler(io.Discard)
	h.Keys = func(context.Context) (string, error) { return "", errors.New("no answer") }
	if got, err := h.Handle(t.Context(), asking("Bearer a.b.c")); err == nil || got.IsAuthorized {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestARefusalHasTheFormThatTheGatewayReads(t *testing.T) {
	if text, err := json.Marshal(answer{}); err != nil || string(text) != `{"isAuthorized":false}` {
		t.Errorf("%s, %v", text, err)
	}
}
