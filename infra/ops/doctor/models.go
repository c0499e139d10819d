package doctor

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/assistant/models"
)

// modelKey is the key of the service behind MODEL_URL. Only its models need it.
const modelKey = "MODEL_API_KEY"

// checkModels checks what the function that asks language models lacks for those that the deployment allows.
func (x *examination) checkModels(ctx context.Context) []finding {
	name := "haatline-models-" + string(x.stage)
	found, err := lambda.NewFromConfig(x.account.value).GetFunctionConfiguration(ctx,
		&lambda.GetFunctionConfigurationInput{FunctionName: &name})
	if deployment.Is(err, "ResourceNotFoundException") {
		return []finding{fine("the function that asks them is not deployed")}
	}
	if err != nil {
		return []finding{x.refused(err, "lambda:GetFunctionConfiguration on "+name)}
	}
	text := ""
	if found.Environment != nil {
		text = found.Environment.Variables["MODELS"]
	}
	allowed, err := models.Parse(text)
	if err != nil {
		return []finding{lacks(x.private.cleaned(err.Error()),
			fmt.Sprintf("deploy again: make deploy STAGE=%s ARGS=\"-c models=…\"", x.stage))}
	}
	if len(allowed) == 0 {
		return []finding{fine("no project may choose any")}
	}
	list := []finding{fine("projects may choose %d", len(allowed))}
	for _, m := range allowed {
		if m.Service == models.OpenAI {
			return append(list, x.checkSecret(ctx, modelKey)...)
		}
	}
	return list
}
