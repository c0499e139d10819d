// Package problem defines errors that carry what the API tells its caller. The package that makes an error knows best
// what it means; the API only maps its class to an HTTP status.
package problem

import "fmt"

// Class is the kind of an error. The API maps each class to one HTTP status.
type Class int

// The classes of errors.
const (
	NotFound      Class = iota + 1 // there is no such thing, or it is another tenant's
	Invalid                        // a field of the request is wrong: Field says which
	Conflict                       // the request is right, but not as things stand
	Unprocessable                  // the request contradicts an earlier one
	Gone                           // it was there, and is not any more
	Unavailable                    // the request is right, and may succeed a moment later
	TooLarge                       // a file is larger than may be
	Forbidden                      // the caller may change the thing, but not in this way
	Unsupported                    // a file is of a type that is not taken, or not of the type that it is said to be
	Unauthorized                   // nobody knows who the caller is: a password is wrong, or a session has ended
	TooMany                        // the caller has done it too often, and may do it later
)

// Error is an error with its problem document (RFC 9457). Keep it in a variable, so that errors.Is finds it.
type Error struct {
	Class  Class
	Code   string // the end of the problem's type, such as window-closed; "" if the class says it all
	Title  string // the kind of problem, in a few words
	Detail string // what is wrong, and what to do; the message about the field for Invalid
	Field  string // the path of the field, such as body.replyTo, for Invalid
	// Fields are several wrong fields, in place of Field and Detail. Of a Conflict they are the things that stand
	// against the request.
	Fields []Field

	text string
}

// Field is a wrong field of a request, or a thing that stands against it.
type Field struct {
	Path   string // such as body.buttons[0].title, or the name of the thing
	Detail string // what is wrong with it, without its value
}

// New returns an error whose Error method returns text, for logs and for errors that wrap it.
func New(text string, e Error) error {
	e.text = text
	return &e
}

func (e *Error) Error() string { return e.text }

// Breaks returns the error of a rule that a request breaks as things stand. It wraps the rule and what a caller is
// told: 409.
func Breaks(rule error, code, title, detail string, values ...any) error {
	return fmt.Errorf("%w: %w", rule,
		New(code, Error{Class: Conflict, Code: code, Title: title, Detail: fmt.Sprintf(detail, values...)}))
}

// Wrong returns the error of a rule about one field of a request. It wraps the rule and what a caller is told: 422.
func Wrong(rule error, field, detail string, values ...any) error {
	return fmt.Errorf("%w: %w", rule,
		New(field, Error{Class: Invalid, Field: field, Detail: fmt.Sprintf(detail, values...)}))
}
