package communitymodel

import (
	"errors"

	"github.com/haatline/haatline/shared/problem"
)

// Rules that a change may break. An error of a rule wraps it, and a problem that names the rule and the state.
var (
	ErrRule  = errors.New("a rule of communities")
	ErrField = errors.New("a field of communities is wrong")
)

// Breaks returns the error of a rule that a change breaks as things stand.
func Breaks(code, title, detail string, values ...any) error {
	return problem.Breaks(ErrRule, code, title, detail, values...)
}

// Wrong returns the error of a wrong field.
func Wrong(field, detail string, values ...any) error {
	return problem.Wrong(ErrField, field, detail, values...)
}

// Forbidden returns the error for somebody who may see a thing, and may not change it in this way.
func Forbidden(code, title, detail string) error {
	return problem.New(code, problem.Error{Class: problem.Forbidden, Code: code, Title: title, Detail: detail})
}

// ErrNoMember is for somebody who takes no part in what they want to use.
var ErrNoMember = Forbidden("not-a-member", "Not a member", "Only members may do this.")

// ErrNoModerator is for a member who may not moderate.
var ErrNoModerator = Forbidden("not-a-moderator", "Not a moderator", "Only moderators may do this.")
