// Package problem has errors that say themselves what a caller of the API is told. Whoever makes an error knows best what it means;
// the API only maps its class to a status.
package problem

// Class is what kind of trouble an error is, and so who can do something about it.
type Class int

// The classes of errors.
const (
	NotFound      Class = iota + 1 // there is no such thing, or it is another tenant's
	Invalid                        // a field of the request is wrong: Field says which
	Conflict                       // the request is right, but not as things stand
	Unprocessable                  // the request contradicts an earlier one
	Unavailable                    // the request is right, and may succeed a moment later
)

// Error is an error with its problem document. Use it as a variable, so that errors.Is knows it.
type Error struct {
	Class  Class
	Code   string // the end of the problem's type, such as window-closed; "" where the class says it all
	Title  string // the kind of problem, in a few words
	Detail string // what is wrong, and what to do; the message about the field for Invalid
	Field  string // the path of the field, such as body.replyTo, for Invalid

	text string
}

// New returns an error with a text of its own for logs and for errors that wrap it.
func New(text string, e Error) error {
	e.text = text
	return &e
}

func (e *Error) Error() string { return e.text }
