// Package bedrock asks a model of Amazon Bedrock through Converse, with the function's own credentials.
package bedrock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// API is what is used of Bedrock's client. The client should make one attempt: whoever asks decides when to ask again.
type API interface {
	Converse(context.Context, *bedrockruntime.ConverseInput, ...func(*bedrockruntime.Options)) (
		*bedrockruntime.ConverseOutput, error)
}

// Client asks one model.
type Client struct {
	API         API
	Model       string   // its id, or that of an inference profile
	Temperature *float32 // nil for the model's own
	MaxTokens   int32    // of an answer; 0 for the model's own
}

// Timeout bounds one question. The lease of its event is longer.
const Timeout = 50 * time.Second

// Answer asks the model for an answer to a turn. Every error is a *assistant.Failure.
func (c *Client) Answer(ctx context.Context, turn assistant.Turn) (assistant.Answer, error) {
	return prompt.Answer(ctx, c, turn)
}

// Ask asks the model for a decision. Every error is a *assistant.Failure.
func (c *Client) Ask(ctx context.Context, p prompt.Prompt) (prompt.Decision, error) {
	began := time.Now()
	in, err := c.question(p)
	if err != nil {
		return prompt.Decision{}, &assistant.Failure{Meaning: assistant.Never, Code: "request"}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	out, err := c.API.Converse(ctx, in)
	used := assistant.Usage{Took: time.Since(began)}
	if err != nil {
		return prompt.Decision{}, failure(err, used)
	}
	return read(out, used)
}

// failure returns what follows from an error of the SDK. The service's own message is left out: it may hold what was
// sent.
func failure(err error, used assistant.Usage) *assistant.Failure {
	failed := &assistant.Failure{Meaning: assistant.Later, Code: "transport", Usage: used}
	var response *smithyhttp.ResponseError
	if !errors.As(err, &response) || response.HTTPStatusCode() == 0 {
		return failed
	}
	failed.HTTP, failed.Code = response.HTTPStatusCode(), ""
	var named smithy.APIError
	if errors.As(err, &named) {
		failed.Code = assistant.CodeOf(named.ErrorCode())
	}
	switch status := failed.HTTP; {
	case status == http.StatusOK: // the answer breaks off, or is none
		failed.Meaning, failed.Reason, failed.Code = assistant.ToPerson, assistant.Unreadable, "no_json"
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == failedDependency,
		status >= http.StatusInternalServerError:
		failed.After = assistant.Wait(response.Response.Header.Get("Retry-After"), time.Now())
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound,
		status < http.StatusBadRequest:
		failed.Meaning = assistant.Never
	default:
		failed.Meaning, failed.Reason = assistant.ToPerson, assistant.Unreached
	}
	return failed
}

// failedDependency is the status of a model that could not process the question this time.
const failedDependency = http.StatusFailedDependency

// refused returns the failure of a question that the model does not want to answer.
func refused(code string, used assistant.Usage) *assistant.Failure {
	return &assistant.Failure{
		Meaning: assistant.ToPerson, Reason: assistant.Refused, HTTP: http.StatusOK, Code: code, Usage: used}
}

// read returns the decision in an answer of the service. Exactly one call decides; a text does not.
func read(out *bedrockruntime.ConverseOutput, used assistant.Usage) (prompt.Decision, error) {
	if out.Usage != nil {
		used.PromptTokens = max(0, int64(aws.ToInt32(out.Usage.InputTokens)))
		used.CompletionTokens = max(0, int64(aws.ToInt32(out.Usage.OutputTokens)))
	}
	switch out.StopReason {
	case types.StopReasonContentFiltered, types.StopReasonGuardrailIntervened, "refusal":
		return prompt.Decision{}, refused(string(out.StopReason), used)
	case types.StopReasonToolUse:
	default:
		return prompt.Decision{}, prompt.Unreadable(assistant.CodeOf(string(out.StopReason)), used)
	}
	message, is := out.Output.(*types.ConverseOutputMemberMessage)
	if !is {
		return prompt.Decision{}, prompt.Unreadable("no_message", used)
	}
	calls := 0
	decided := prompt.Decision{Usage: used}
	for _, block := range message.Value.Content {
		use, is := block.(*types.ContentBlockMemberToolUse)
		if !is {
			continue
		}
		arguments, err := argumentsOf(use.Value)
		if err != nil {
			return prompt.Decision{}, prompt.Unreadable("arguments", used)
		}
		decided.Call, calls = assistant.Call{Name: aws.ToString(use.Value.Name), Arguments: arguments}, calls+1
	}
	if calls != 1 {
		return prompt.Decision{}, prompt.Unreadable(fmt.Sprintf("%d_calls", calls), used)
	}
	return decided, nil
}

// argumentsOf returns the arguments of a call as JSON; none for a call without.
func argumentsOf(use types.ToolUseBlock) (json.RawMessage, error) {
	if use.Input == nil {
		return nil, nil
	}
	return use.Input.MarshalSmithyDocument()
}
