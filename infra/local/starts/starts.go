// Package starts stands in for the part of AWS Lambda's API by which one function starts another one and does not wait:
// Invoke, with the invocation type Event.
package starts

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// Path is where the stand-in is, under the address that functions get for Lambda.
const Path = "/lambda"

// MaxEvent is the size of the largest event that Lambda keeps, in bytes.
const MaxEvent = 1 << 20

// Server answers as Lambda does.
type Server struct {
	// Start starts a function for an event, later. It reports false if there is no such function.
	Start func(function string, event []byte) bool
}

// ServeHTTP takes a start.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, is := strings.CutPrefix(r.URL.Path, Path+"/2015-03-31/functions/")
	name, ends := strings.CutSuffix(name, "/invocations")
	event, err := io.ReadAll(io.LimitReader(r.Body, MaxEvent+1))
	switch {
	case !is || !ends || r.Method != http.MethodPost:
		refuse(w, http.StatusNotFound, "UnknownOperationException")
	case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		refuse(w, http.StatusForbidden, "MissingAuthenticationTokenException")
	case r.Header.Get("X-Amz-Invocation-Type") != "Event": // the stand-in has nothing else
		refuse(w, http.StatusBadRequest, "InvalidParameterValueException")
	case err != nil || len(event) > MaxEvent:
		refuse(w, http.StatusRequestEntityTooLarge, "RequestTooLargeException")
	case !json.Valid(event):
		refuse(w, http.StatusBadRequest, "InvalidRequestContentException")
	case !s.Start(name, event):
		refuse(w, http.StatusNotFound, "ResourceNotFoundException")
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func refuse(w http.ResponseWriter, status int, kind string) {
	w.Header().Set("X-Amzn-Errortype", kind)
	w.WriteHeader(status)
}
