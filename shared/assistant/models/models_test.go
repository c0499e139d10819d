package models_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/assistant/models"
)

func TestAListThatCannotBeUsedIsRefused(t *testing.T) {
	for _, text := range []string{
		"gpt-4o-mini", "oracle:1", "openai:", "openai:a model", "openai:nobody-knows-its-price", "openai:x=1",
		"openai:x=1/", "openai:x=-1/2", "openai:x=1e9/2", "openai:x=a/b", "openai:gpt-4o-mini,openai:gpt-4o-mini",
		"bedrock:arn:aws:bedrock:*",
	} {
		if _, err := models.Parse(text); !errors.Is(err, models.ErrList) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if all, err := models.Parse(""); err != nil || len(all) > 0 {
		t.Errorf("%v %v", all, err)
	}
}

// The price behind a model comes before the list's.
func ExampleParse() {
	all, err := models.Parse("bedrock:amazon.nova-micro-v1:0, openai:qwen3:8b=0/0,openai:gpt-4o-mini=1/2")
	for _, m := range all {
		fmt.Println(m.Service, m.ID, m.Price.Prompt, m.Price.Completion)
	}
	_, known := all.Find(models.OpenAI, "gpt-5")
	fmt.Println(all.Names(), known, err)
	// Output:
	// bedrock amazon.nova-micro-v1:0 0.035 0.14
	// openai qwen3:8b 0 0
	// openai gpt-4o-mini 1 2
	// [bedrock:amazon.nova-micro-v1:0 openai:qwen3:8b openai:gpt-4o-mini] false <nil>
}
