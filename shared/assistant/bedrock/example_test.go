package bedrock_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/haatline/haatline/shared/assistant/assistanttest"
	"github.com/haatline/haatline/shared/assistant/bedrock"
)

// calling is a service whose model looks an order up.
type calling struct{}

func (calling) Converse(context.Context, *bedrockruntime.ConverseInput, ...func(*bedrockruntime.Options)) (
	*bedrockruntime.ConverseOutput, error) {
	use := types.ToolUseBlock{ToolUseId: aws.String("1"), Name: aws.String("order_state")}
	return &bedrockruntime.ConverseOutput{
		StopReason: types.StopReasonToolUse,
		Output: &types.ConverseOutputMemberMessage{Value: types.Message{
			Content: []types.ContentBlock{&types.ContentBlockMemberToolUse{Value: use}}}},
	}, nil
}

// A model looks something up by a call. It names nobody: what is looked up is that of the person who writes.
func ExampleClient() {
	client := &bedrock.Client{API: calling{}, Model: "amazon.nova-lite-v1:0"}
	answer, err := client.Answer(context.Background(), assistanttest.Turn())
	fmt.Println(answer.Action, answer.Call.Name, err)
	// Output: call order_state <nil>
}
