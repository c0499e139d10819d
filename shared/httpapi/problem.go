package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Problem types of the API, beside the plain ones of HTTP.
const (
	TypeWindowClosed   = "urn:haatline:problem:window-closed"
	TypeOptedOut       = "urn:haatline:problem:opted-out"
	TypeKeyReused      = "urn:haatline:problem:idempotency-key-reused"
	TypeNotReplayed    = "urn:haatline:problem:not-replayable"
	TypeNotDismissable = "urn:haatline:problem:not-dismissable"
	TypeConflict       = "urn:haatline:problem:conflict"
)

// newProblem makes every error of the API a problem. It names each invalid field and repeats no value: what was sent may
// be personal.
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

// messageOf is a detail's message without what was sent. Where the library has kept the value, what stands in its message
// after a colon is another library's error, which may quote it.
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

// serveProblem answers with a problem where there is no operation to do it.
func serveProblem(w http.ResponseWriter, problem error) {
	status := http.StatusInternalServerError
	var told huma.StatusError
	if errors.As(problem, &told) {
		status = told.GetStatus()
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem) // into a buffer
}

// NotFound is the answer for what is not there and for what is somebody else's: nobody can tell the two apart.
func NotFound() error {
	return newProblem(http.StatusNotFound, "There is no such thing, or it is not yours.")
}

// Of makes a problem with a type of its own.
func Of(kind string, status int, title, detail string) error {
	return &huma.ErrorModel{Type: kind, Status: status, Title: title, Detail: detail}
}

// Invalid is the answer for a field that a schema cannot judge.
func Invalid(location, message string) error {
	return newProblem(http.StatusUnprocessableEntity, "validation failed", &huma.ErrorDetail{Location: location, Message: message})
}
