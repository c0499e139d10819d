package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

type numbersInput struct {
	httpapi.Page
	Odd bool `query:"odd"`
}

// numbersAPI returns a list of three numbers, and how often its keys are asked for.
func numbersAPI(keys func() (string, error)) (ask func(t *testing.T, query string) (int, httpapi.List[string]),
	asked *int) {
	asked = new(int)
	cursors := &httpapi.Cursors{
		Log: slog.New(slog.DiscardHandler), Keys: func(context.Context) (string, error) { *asked++; return keys() }}
	mux := http.NewServeMux()
	r := &operations.Registry{API: httpapi.New(mux), Log: slog.New(slog.DiscardHandler)}
	op := huma.Operation{
		OperationID: "list-numbers", Method: http.MethodGet, Path: "/v1/numbers", Security: httpapi.NeedsOnlyAToken()}
	operations.Read(r, op, func(_ context.Context, in *numbersInput) (*struct{ Body httpapi.List[string] }, error) {
		after, err := in.After()
		if err != nil {
			return nil, err
		}
		rows, end := httpapi.CutWhole(in.Page, after, []string{"1", "2", "3"},
			func(row string) httpapi.Position { return httpapi.Position{At: row} })
		return &struct{ Body httpapi.List[string] }{httpapi.List[string]{Items: rows, Cursor: end.Cursor()}}, nil
	})
	handle := httpapi.NewHandler(cursors.On(mux))
	return func(t *testing.T, query string) (int, httpapi.List[string]) {
		t.Helper()
		event := events.APIGatewayV2HTTPRequest{RawPath: "/v1/numbers", RawQueryString: query}
		event.RequestContext.HTTP.Method = http.MethodGet
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{
				Claims: map[string]string{"sub": "asha"}},
		}
		answer, err := handle(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		var page httpapi.List[string]
		if err := json.Unmarshal([]byte(answer.Body), &page); err != nil && answer.StatusCode == http.StatusOK {
			t.Fatal(err)
		}
		return answer.StatusCode, page
	}, asked
}

func TestTheKeysAreAskedForWhenThereIsACursor(t *testing.T) {
	ask, asked := numbersAPI(func() (string, error) { return "one", nil })
	if status, page := ask(t, ""); status != http.StatusOK || len(page.Items) != 3 || *asked != 0 {
		t.Errorf("%d %v, asked %d times", status, page, *asked)
	}
	_, page := ask(t, "limit=1")
	if status, second := ask(t, "limit=1&cursor="+page.Cursor); status != http.StatusOK || second.Items[0] != "2" ||
		*asked != 3 {
		t.Errorf("%d %v, asked %d times", status, second, *asked)
	}
}

func TestAnOlderKeyOpensWhileTheKeyIsChanged(t *testing.T) {
	key := "old"
	ask, _ := numbersAPI(func() (string, error) { return key, nil })
	_, page := ask(t, "limit=1")
	for _, c := range []struct {
		keys string
		want int
	}{{"new, old", http.StatusOK}, {"new,,old", http.StatusOK}, {"new", http.StatusBadRequest}, {
		"old,new", http.StatusOK}} {
		key = c.keys
		if status, _ := ask(t, "limit=1&cursor="+page.Cursor); status != c.want {
			t.Errorf("%s: %d", c.keys, status)
		}
	}
	key = "new,old"
	_, page = ask(t, "limit=1")
	if key = "new"; page.Cursor == "" {
		t.Fatal("no cursor")
	}
	if status, _ := ask(t, "limit=1&cursor="+page.Cursor); status != http.StatusOK {
		t.Errorf("the first key does not seal: %d", status)
	}
}

func TestWithoutKeysAListSaysSoAndShowsNoPosition(t *testing.T) {
	for _, err := range []error{nil, errors.New("no answer")} {
		ask, _ := numbersAPI(func() (string, error) { return " , ", err })
		if status, page := ask(t, "limit=1"); status != http.StatusInternalServerError || page.Cursor != "" {
			t.Errorf("%v: %d %v", err, status, page)
		}
		if status, _ := ask(t, "cursor=abcdefghijklmnopqrstuvwxyz12"); status != http.StatusServiceUnavailable {
			t.Errorf("%v: %d", err, status)
		}
		if status, page := ask(t, ""); status != http.StatusOK || len(page.Items) != 3 {
			t.Errorf("%v: %d %v", err, status, page)
		}
	}
}

func TestTheSamePositionLooksDifferentEachTime(t *testing.T) {
	ask, _ := numbersAPI(func() (string, error) { return "one", nil })
	_, first := ask(t, "limit=1")
	if _, again := ask(t, "limit=1"); again.Cursor == first.Cursor || again.Cursor == "" {
		t.Errorf("%q and %q", first.Cursor, again.Cursor)
	}
}
