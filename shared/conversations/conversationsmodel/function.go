package conversationsmodel

import "github.com/haatline/haatline/shared/model"

// Function is what the company's own server does when everything is known that a project asks for.
type Function struct {
	Name string `dynamodbav:"name"`
	URL  string `dynamodbav:"url"`
	// Parameters is the JSON Schema of the arguments; empty for any.
	Parameters model.Document `dynamodbav:"parameters,omitempty"`
	Secret     string         `dynamodbav:"secret"` // by which calls are signed
}

// The bounds of a function's secret, in bytes.
const (
	MinSecret = 32
	MaxSecret = 128
)
