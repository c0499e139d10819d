package calling

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
)

// Functions returns what a language model may call in a conversation: the function of its project, if the project says
// so and it still can be declared.
func (k *Calling) Functions(ctx context.Context, c conversationsmodel.Conversation) ([]assistant.Function, error) {
	f, err := k.function(ctx, c)
	if err != nil || !f.Asked() {
		return nil, err
	}
	declared, err := declared(*f)
	if err != nil {
		return nil, nil // a release before this one has taken it
	}
	return []assistant.Function{declared}, nil
}

// Call makes a call that a language model asks for in a turn, and returns what the server says. A turn that is tried
// again makes it with the same id, so that the server does it once. The arguments have been checked. An error is a
// *assistant.Failure, or one of reading the project.
func (k *Calling) Call(ctx context.Context, c conversationsmodel.Conversation, entry string,
	of assistant.Call) (text string, err error) {
	f, err := k.function(ctx, c)
	if err != nil {
		return "", err
	}
	if !f.Asked() || f.Name != of.Name { // it has changed since it was offered
		return "", &assistant.Failure{Meaning: assistant.ToPerson, Reason: assistant.NotAllowed}
	}
	arguments := of.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	id := called{talks.IDOf(c), f.Name, entry}.callID()
	text, err = k.send(ctx, id, c, *f, arguments)
	if errors.Is(err, errSealed) {
		return "", &assistant.Failure{Meaning: assistant.Later}
	}
	var failed *assistant.Failure
	if errors.As(err, &failed) && failed.Meaning != assistant.Later { // it says nothing of the model
		return "", &assistant.Failure{
			Meaning: assistant.ToPerson, Reason: assistant.Unreached, HTTP: failed.HTTP, Code: failed.Code}
	}
	return text, err
}
