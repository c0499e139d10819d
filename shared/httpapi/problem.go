package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The API's own problem types.
const (
	TypeWindowClosed   = "urn:haatline:problem:window-closed"
	TypeOptedOut       = "urn:haatline:problem:opted-out"
	TypeKeyReused      = "urn:haatline:problem:idempotency-key-reused"
	TypeNotReplayed    = "urn:haatline:problem:not-replayable"
	TypeNotDismissable = "urn:haatline:problem:not-dismissable"
	TypeConflict       = "urn:haatline:problem:conflict"
)

// newProblem turns every error of the API into a problem. It names each invalid field and repeats no value, because values
// may be personal data.
func newProblem(status int, message string, causes ...error) huma.StatusError {
	problem := &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: message}
	for _, cause := range causes {
		if cause == nil {
			continue
		}
		var detailer huma.ErrorDetailer
		if errors.As(cause, &detailer) {
			detail := detailer.ErrorDetail()
			problem.Errors = append(problem.Errors, &huma.ErrorDetail{Message: messageOf(status, detail), Location: detail.Location})
		} else if status < http.StatusInternalServerError {
			problem.Errors = append(problem.Errors, &huma.ErrorDetail{Message: cause.Error()})
		}
	}
	return problem
}

// messageOf returns a detail's message without what was sent. If the library kept the value, the message after a colon is
// another library's error, which may quote the value.
func messageOf(status int, detail *huma.ErrorDetail) string {
	if detail.Value == nil {
		return detail.Message
	}
	if status == http.StatusBadRequest && detail.Location == "body" {
		if detail.Message == errTwice.Error() || detail.Message == errUTF8.Error() {
			return detail.Message
		}
		return "not JSON"
	}
	message, _, _ := strings.Cut(detail.Message, ": ")
	return message
}

// serveProblem answers a request that reaches no operation with a problem.
func serveProblem(w http.ResponseWriter, problem error) {
	status := http.StatusInternalServerError
	var told huma.StatusError
	if errors.As(problem, &told) {
		status = told.GetStatus()
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem) // writing to a buffer does not fail
}

// NotFound returns the problem for an unknown id and for another tenant's. The two are indistinguishable on purpose.
func NotFound() error {
	return newProblem(http.StatusNotFound, "There is no such thing, or it is not yours.")
}

// Of returns a problem with a type of its own.
func Of(kind string, status int, title, detail string) error {
	return &huma.ErrorModel{Type: kind, Status: status, Title: title, Detail: detail}
}

// Invalid returns the problem for a field that a schema cannot check. location is the field's path, such as body.text.
func Invalid(location, message string) error {
	return newProblem(http.StatusUnprocessableEntity, "validation failed", &huma.ErrorDetail{Location: location, Message: message})
}
