package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/problem"
)

// typePrefix begins the name of every kind of problem.
const typePrefix = "urn:haatline:problem:"

// statuses maps the classes of errors to HTTP statuses.
var statuses = map[problem.Class]int{
	problem.NotFound: http.StatusNotFound, problem.Forbidden: http.StatusForbidden,
	problem.Invalid: http.StatusUnprocessableEntity, problem.Conflict: http.StatusConflict,
	problem.Unprocessable: http.StatusUnprocessableEntity, problem.Gone: http.StatusGone,
	problem.Unavailable: http.StatusServiceUnavailable,
	problem.TooLarge:    http.StatusRequestEntityTooLarge, problem.Unsupported: http.StatusUnsupportedMediaType,
	problem.Unauthorized: http.StatusUnauthorized, problem.TooMany: http.StatusTooManyRequests,
}

// Problem returns the problem document of a *problem.Error or of an error of the API library, or nil for any other
// error.
func Problem(err error) error {
	var ready huma.StatusError
	if errors.As(err, &ready) {
		return ready
	}
	var known *problem.Error
	if !errors.As(err, &known) {
		return nil
	}
	switch {
	case known.Class == problem.NotFound:
		return NotFound()
	case known.Class == problem.Unavailable:
		return Unavailable()
	case known.Field != "":
		return Invalid(known.Field, known.Detail)
	case len(known.Fields) > 0 && known.Class == problem.Invalid:
		return invalidFields(known.Fields)
	}
	document := &huma.ErrorModel{Status: statuses[known.Class], Title: known.Title, Detail: known.Detail}
	for _, field := range known.Fields {
		document.Errors = append(document.Errors, &huma.ErrorDetail{Location: field.Path, Message: field.Detail})
	}
	if known.Code != "" {
		document.Type = typePrefix + known.Code
	}
	return document
}

// newProblem turns every error of the API into a problem. It names each invalid field and repeats no value, because
// values may be personal data.
func newProblem(status int, message string, causes ...error) huma.StatusError {
	document := &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: message}
	for _, cause := range causes {
		if cause == nil {
			continue
		}
		var detailer huma.ErrorDetailer
		if errors.As(cause, &detailer) {
			detail := detailer.ErrorDetail()
			document.Errors = append(document.Errors,
				&huma.ErrorDetail{Message: messageOf(status, detail), Location: detail.Location})
		} else if status < http.StatusInternalServerError {
			document.Errors = append(document.Errors, &huma.ErrorDetail{Message: cause.Error()})
		}
	}
	return document
}

// messageOf returns a detail's message without what was sent. If the library kept the value, the message after a colon
// is another library's error, which may quote the value.
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
func serveProblem(w http.ResponseWriter, document error) {
	status := http.StatusInternalServerError
	var told huma.StatusError
	if errors.As(document, &told) {
		status = told.GetStatus()
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document) // writing to a buffer does not fail
}

// NotFound returns the problem for an unknown id and for another tenant's. The two are indistinguishable on purpose.
func NotFound() error {
	return newProblem(http.StatusNotFound, "There is no such thing, or it is not yours.")
}

// invalidFields returns the problem for several fields.
func invalidFields(fields []problem.Field) error {
	causes := make([]error, len(fields))
	for i, field := range fields {
		causes[i] = &huma.ErrorDetail{Location: field.Path, Message: field.Detail}
	}
	return newProblem(http.StatusUnprocessableEntity, "validation failed", causes...)
}

// Invalid returns the problem for a field that a schema cannot check. location is the field's path, such as body.text.
func Invalid(location, message string) error {
	return newProblem(http.StatusUnprocessableEntity, "validation failed",
		&huma.ErrorDetail{Location: location, Message: message})
}
