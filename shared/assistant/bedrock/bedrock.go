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
	began := time.Now()
	in, err := c.question(turn)
	if err != nil {
		return assistant.Answer{}, &assistant.Failure{Meaning: assistant.Never, Code: "request"}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	out, err := c.API.Converse(ctx, in)
	used := assistant.Usage{Took: time.Since(began)}
	if err != nil {
		return assistant.Answer{}, failure(err, used)
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

func toPerson(reason assistant.Reason, code string, used assistant.Usage) *assistant.Failure {
	return &assistant.Failure{Meaning: assistant.ToPerson, Reason: reason, HTTP: http.StatusOK, Code: code, Usage: used}
}

// read returns the answer in an answer of the service. Exactly one call decides; a text does not.
func read(out *bedrockruntime.ConverseOutput, used assistant.Usage) (assistant.Answer, error) {
	if out.Usage != nil {
		used.PromptTokens = max(0, int64(aws.ToInt32(out.Usage.InputTokens)))
		used.CompletionTokens = max(0, int64(aws.ToInt32(out.Usage.OutputTokens)))
	}
	switch out.StopReason {
	case types.StopReasonContentFiltered, types.StopReasonGuardrailIntervened, "refusal":
		return assistant.Answer{}, toPerson(assistant.Refused, string(out.StopReason), used)
	case types.StopReasonToolUse:
	default:
		return assistant.Answer{}, toPerson(assistant.Unreadable, assistant.CodeOf(string(out.StopReason)), used)
	}
	message, is := out.Output.(*types.ConverseOutputMemberMessage)
	if !is {
		return assistant.Answer{}, toPerson(assistant.Unreadable, "no_message", used)
	}
	calls := 0
	var answer assistant.Answer
	for _, block := range message.Value.Content {
		use, is := block.(*types.ContentBlockMemberToolUse)
		if !is {
			continue
		}
		arguments, err := argumentsOf(use.Value)
		if err == nil {
			answer, err = prompt.Read(aws.ToString(use.Value.Name), arguments)
		}
		if err != nil {
			return assistant.Answer{}, toPerson(assistant.Unreadable, "arguments", used)
		}
		calls++
	}
	if calls != 1 {
		return assistant.Answer{}, toPerson(assistant.Unreadable, fmt.Sprintf("%d_calls", calls), used)
	}
	answer.Usage = used
	return answer, nil
}

// argumentsOf returns the arguments of a call as JSON; none for a call without.
func argumentsOf(use types.ToolUseBlock) (json.RawMessage, error) {
	if use.Input == nil {
		return nil, nil
	}
	return use.Input.MarshalSmithyDocument()
}
