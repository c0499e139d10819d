package bedrock

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// question returns the question of a prompt.
func (c *Client) question(p prompt.Prompt) (*bedrockruntime.ConverseInput, error) {
	in := &bedrockruntime.ConverseInput{
		ModelId: &c.Model, System: []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: p.System}},
		InferenceConfig: &types.InferenceConfiguration{Temperature: c.Temperature},
		ToolConfig:      &types.ToolConfiguration{ToolChoice: &types.ToolChoiceMemberAny{}},
	}
	if c.MaxTokens > 0 {
		in.InferenceConfig.MaxTokens = &c.MaxTokens
	}
	for _, m := range p.Messages {
		in.Messages = append(in.Messages, types.Message{
			Role:    types.ConversationRole(m.Role),
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: m.Text}}})
	}
	for i, result := range p.Results {
		call, answer, err := made(fmt.Sprintf("call_%d", i+1), result)
		if err != nil {
			return nil, err
		}
		in.Messages = append(in.Messages, call, answer)
	}
	for _, t := range p.Tools {
		schema, err := documentOf(t.Parameters)
		if err != nil {
			return nil, err
		}
		in.ToolConfig.Tools = append(in.ToolConfig.Tools, &types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: aws.String(t.Name), Description: aws.String(t.Description),
			InputSchema: &types.ToolInputSchemaMemberJson{Value: schema},
		}})
	}
	return in, nil
}

// made returns a call that the model has made, and its result.
func made(id string, result assistant.Result) (call, answer types.Message, err error) {
	arguments, err := documentOf(result.Arguments)
	if err != nil {
		return call, answer, err
	}
	call = types.Message{Role: types.ConversationRoleAssistant, Content: []types.ContentBlock{
		&types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
			ToolUseId: &id, Name: aws.String(result.Name), Input: arguments}}}}
	answer = types.Message{Role: types.ConversationRoleUser, Content: []types.ContentBlock{
		&types.ContentBlockMemberToolResult{Value: types.ToolResultBlock{
			ToolUseId: &id, Content: []types.ToolResultContentBlock{
				&types.ToolResultContentBlockMemberText{Value: result.Text}}}}}}
	return call, answer, nil
}

// documentOf returns a JSON object as the SDK takes it, with exact numbers; an empty object for nothing.
func documentOf(text json.RawMessage) (document.Interface, error) {
	object := map[string]any{}
	if len(text) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return nil, err
		}
	}
	return document.NewLazyDocument(exact(object)), nil
}

// exact returns a value of JSON with its numbers as the SDK writes them.
func exact(value any) any {
	switch of := value.(type) {
	case json.Number:
		return smithydocument.Number(of)
	case map[string]any:
		for key, inner := range of {
			of[key] = exact(inner)
		}
	case []any:
		for i, inner := range of {
			of[i] = exact(inner)
		}
	}
	return value
}
