package calling

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/assistant/schema"
	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
)

// ErrFunction means that a function cannot be called. The error says why.
var ErrFunction = errors.New("the function cannot be called")

// Check returns why a function of a project cannot be called. The error wraps ErrFunction, or is one of
// companies.CheckMap. A secret may be missing: the project has one then.
func Check(f conversationsmodel.Function, hosts []string) error {
	if err := companies.CheckMap("function.parameters", f.Parameters); err != nil {
		return err
	}
	if f.Asked() && strings.TrimSpace(f.Description) == "" {
		return fmt.Errorf("%w: description: it tells the model what the function is for", ErrFunction)
	}
	if _, err := declared(f); err != nil {
		return fmt.Errorf("%w: %w", ErrFunction, err)
	}
	if err := callback.CheckAddress(f.URL, hosts); err != nil {
		return fmt.Errorf("%w: url: %w", ErrFunction, err)
	}
	if n := len(f.Secret); n > 0 && (n < conversationsmodel.MinSecret || n > conversationsmodel.MaxSecret) {
		return fmt.Errorf("%w: secret: %d to %d bytes", ErrFunction, conversationsmodel.MinSecret,
			conversationsmodel.MaxSecret)
	}
	return nil
}

// anything is the schema of a function that does not say which arguments it takes.
const anything = `{"type":"object"}`

// declared returns a function as an assistant sees it, with what checks its arguments.
func declared(f conversationsmodel.Function) (assistant.Function, error) {
	parameters := json.RawMessage(f.Parameters)
	if len(parameters) == 0 {
		parameters = json.RawMessage(anything)
	}
	return schema.Declare(f.Name, cmp.Or(f.Description, f.Name), parameters)
}

// arguments returns what is known of a conversation, as the arguments of a function. It returns an error if they are
// not as the function's schema says.
func arguments(f conversationsmodel.Function, c conversationsmodel.Conversation) (json.RawMessage, error) {
	of, err := declared(f)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	if c.Assisted != nil && c.Assisted.Values != nil {
		values = c.Assisted.Values
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return text, of.Check(text)
}
