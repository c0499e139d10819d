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
	ErrMayNotDecide   = errors.New("who may not decide may not lift a user over decisions")
	ErrNotRetryable   = errors.New("the notification cannot be sent again")
)

func noProgram() error {
	return problem.Breaks(ErrNoProgram, "no-card-program", "No card program",
		"The tenant has no card program yet. An administrator sets one up with PUT /v1/cards/program.")
}

// mayNotDecide is the error of a score by which cards would be given without a decision.
func mayNotDecide() error {
	return fmt.Errorf("%w: %w", ErrMayNotDecide, problem.New("needs cards.decide", problem.Error{
		Class: problem.Forbidden, Code: "needs-cards-decide", Title: "Needs cards.decide",
		Detail: "With this score the user would get cards without a decision. Setting it needs the scope cards.decide.",
	}))
}

func userDisabled() error {
	return problem.Breaks(ErrUserDisabled, "user-disabled", "User disabled", "The user is disabled. Enable the user first.")
}
