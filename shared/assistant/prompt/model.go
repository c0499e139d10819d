package prompt

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/assistant"
)

// Model is a language model. It decides by one call of a tool of the prompt.
type Model interface {
	// Ask asks it once. Every error is a *assistant.Failure.
	Ask(ctx context.Context, p Prompt) (Decision, error)
}

// Decision is the call by which a model decides, and what it has taken. Nobody has checked its arguments.
type Decision struct {
	assistant.Call
	Usage assistant.Usage
}

// Answer asks a model for an answer to a turn. Every error is a *assistant.Failure.
func Answer(ctx context.Context, model Model, turn assistant.Turn) (assistant.Answer, error) {
	decided, err := model.Ask(ctx, Of(turn))
	if err != nil {
		return assistant.Answer{}, err
	}
	answer, err := Read(decided.Name, decided.Arguments)
	if err != nil {
		return assistant.Answer{}, Unreadable("arguments", decided.Usage)
	}
	answer.Usage = decided.Usage
	return answer, nil
}

// Unreadable returns the failure of an answer that has no form.
func Unreadable(code string, used assistant.Usage) *assistant.Failure {
	return &assistant.Failure{
		Meaning: assistant.ToPerson, Reason: assistant.Unreadable, HTTP: http.StatusOK, Code: code, Usage: used}
}
