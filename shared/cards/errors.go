package cards

import (
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/problem"
)

// The rules that a request may break. An error of a rule wraps it, and a problem that names the rule and the state.
var (
	ErrNoProgram      = errors.New("the tenant has no card program")
	ErrUserExists     = errors.New("there is such a user")
	ErrUserDisabled   = errors.New("the user is disabled")
	ErrUnknownProduct = errors.New("there is no such product")
	ErrPending        = errors.New("the user has a pending request")
	ErrDecided        = errors.New("the request is decided")
	ErrExpired        = errors.New("the request has expired")
	ErrCardState      = errors.New("the card is in another state")
	ErrBalance        = errors.New("the card has a balance")
	ErrStale          = errors.New("changed since it was read")
	ErrSettings       = errors.New("the settings are wrong")
	ErrNotRetryable   = errors.New("the notification cannot be sent again")
)

// breaks returns the error of a rule, with what a caller is told: 409, for a request that is right but not as things stand.
func breaks(rule error, code, title, detail string, values ...any) error {
	return fmt.Errorf("%w: %w", rule, problem.New(code, problem.Error{
		Class: problem.Conflict, Code: code, Title: title, Detail: fmt.Sprintf(detail, values...),
	}))
}

// invalid returns the error of a rule about one field of a request: 422.
func invalid(rule error, field, detail string, values ...any) error {
	return fmt.Errorf("%w: %w", rule, problem.New(field, problem.Error{Class: problem.Invalid, Field: field, Detail: fmt.Sprintf(detail, values...)}))
}

func noProgram() error {
	return breaks(ErrNoProgram, "no-card-program", "No card program",
		"The tenant has no card program yet. An administrator sets one up with PUT /v1/cards/program.")
}

func userDisabled() error {
	return breaks(ErrUserDisabled, "user-disabled", "User disabled", "The user is disabled. Enable the user first.")
}
