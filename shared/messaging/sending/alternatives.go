package sending

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Alternatives are messages that say the same, the preferred one first. One of them is sent: free text within the
// customer service window, and a template outside it.
type Alternatives []Outgoing

// Either returns a message with each of the contents.
func Either(out Outgoing, contents ...content.Content) Alternatives {
	all := make(Alternatives, len(contents))
	for i, c := range contents {
		all[i] = out
		all[i].Content = c
	}
	return all
}

// Refs returns the items that Prepare needs.
func (a Alternatives) Refs(sender Preparer) []dynamo.Ref {
	var refs []dynamo.Ref
	for _, out := range a {
		refs = append(refs, sender.Refs(out)...)
	}
	return refs
}

// Prepare prepares the first message that the customer service window allows now, and returns its index. Its errors are
// those of Sender.Prepare. It returns ErrWindowClosed if the window allows none.
func (a Alternatives) Prepare(ctx context.Context, sender Preparer, found dynamo.Found) (Prepared, int, error) {
	for i, out := range a {
		prepared, err := sender.Prepare(ctx, out, found)
		if !errors.Is(err, ErrWindowClosed) {
			return prepared, i, err
		}
	}
	return Prepared{}, 0, ErrWindowClosed
}

// IsRefusal reports whether an error of Prepare means that the message may not be sent. Any other error is a failure,
// after which the caller tries again.
func IsRefusal(err error) bool {
	var refused *problem.Error
	return errors.As(err, &refused) && !errors.Is(err, dynamo.ErrConflict)
}
