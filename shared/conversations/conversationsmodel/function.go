package conversationsmodel

import "github.com/haatline/haatline/shared/model"

// Function is what the company's own server does.
type Function struct {
	Name string `dynamodbav:"name"`
	URL  string `dynamodbav:"url"`
	// When says when it is called; "" is when everything is known that the project asks for.
	When When `dynamodbav:"when,omitempty"`
	// Description tells a language model what it is for.
	Description string `dynamodbav:"description,omitempty"`
	// Parameters is the JSON Schema of the arguments; empty for any.
	Parameters model.Document `dynamodbav:"parameters,omitempty"`
	// Secret is by what calls are signed, sealed for the tenant, the company and the project: companies.Vault. Older
	// items hold it in clear, and a request does.
	Secret string `dynamodbav:"secret"`
}

// When says when a function is called.
type When string

const (
	WhenComplete When = "complete" // everything is known that the project asks for
	WhenAsked    When = "asked"    // a language model asks for it, in the middle of a conversation
)

// Asked reports whether a language model may call the function.
func (f *Function) Asked() bool { return f != nil && f.When == WhenAsked }

// The bounds of a function's secret, in bytes.
const (
	MinSecret = 32
	MaxSecret = 128
)
