// Package front imitates API Gateway's HTTP API: it selects the route, verifies the token if the route requires one,
// converts the request to an event of payload version 2.0, and converts the function's answer to a response. It does
// not know how functions run or what events mean.
package front

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/local/lambda"
	"github.com/haatline/haatline/infra/topology"
)

const (
	maxBody            = 10 << 20         // in bytes: an HTTP API's limit
	integrationTimeout = 30 * time.Second // how long an HTTP API waits for a function
	authorizerTimeout  = 10 * time.Second // and for the one that authorizes
)

// Route sends matching requests to a function. Method "ANY" matches every method. A path may contain {name} for one
// segment, and end in {name+} for everything below.
type Route struct {
	Method, Path string
	For          topology.Callers
	Function     string
}

// Gateway is the HTTP API.
type Gateway struct {
	Routes   []Route
	Region   string
	Verifier *identity.Verifier
	// Authorizer is the function that authorizes sessions.
	Authorizer string
	Invoke     func(ctx context.Context, function string, event []byte) ([]byte, error)
	Now        func() time.Time
	Log        *slog.Logger
	// Origin reports whether pages of an origin may call the API.
	Origin func(origin string) bool
}

func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	requestID := rand.Text()
	w.Header().Set("Apigw-Requestid", requestID)
	if g.preflight(w, r) {
		return
	}
	route, parameters, found := match(g.Routes, r.Method, r.URL.Path)
	if !found {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	from := origin{route: route, parameters: parameters, requestID: requestID, region: g.Region, now: g.Now()}
	if !g.authorize(w, r, &from) {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	event, err := json.Marshal(newEvent(r, body, from))
	if err != nil {
		g.Log.Error("event not encoded", "error", err)
		refuse(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	g.answer(w, r, route, event)
}

// answer invokes the function and writes its answer.
func (g *Gateway) answer(w http.ResponseWriter, r *http.Request, route Route, event []byte) {
	type outcome struct {
		payload []byte
		err     error
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), integrationTimeout)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		payload, err := g.Invoke(ctx, route.Function, event)
		done <- outcome{payload, err}
	}()
	var result outcome
	select {
	case result = <-done:
	case <-ctx.Done(): // the function keeps running, but its answer is too late
		refuse(w, http.StatusServiceUnavailable, "Service Unavailable")
		return
	}
	if result.err != nil {
		status := failureStatus(result.err)
		refuse(w, status, http.StatusText(status))
		return
	}
	if err := writeResponse(w, result.payload, g.corsOf(r)); err != nil {
		g.Log.Error("response not understood", "function", route.Function, "error", err)
		refuse(w, http.StatusInternalServerError, "Internal Server Error")
	}
}

func failureStatus(err error) int {
	var failure *lambda.Error
	if !errors.As(err, &failure) {
		return http.StatusInternalServerError
	}
	switch {
	case failure.Kind == lambda.TimedOut:
		return http.StatusServiceUnavailable
	case failure.Type == "RequestEntityTooLarge":
		return http.StatusRequestEntityTooLarge
	case failure.Kind == lambda.Refused:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// challenge returns the header that says what is missing, in the words of API Gateway.
func challenge(err error) string {
	if errors.Is(err, identity.ErrNoToken) {
		return "Bearer"
	}
	return fmt.Sprintf(`Bearer scope="" error="invalid_token" error_description=%q`, identity.Missing(err))
}

// refuse writes an error like API Gateway itself does.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}
