package policy_test

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/assistant/rules"
	"github.com/haatline/haatline/shared/faq"
)

// The owner's rules come first, and then the assistant answers from the company's list.
func ExampleHeld() {
	list, _ := faq.New([]faq.Entry{
		{ID: "salary", Question: "What is the salary?", Answer: "₹18,000 a month.", Language: "en"},
		{ID: "office", Question: "Where is the office?", Answer: "Near the bus stand.", Language: "en"},
	})
	held := policy.Held{Policy: policy.Policy{Topics: []string{"legal notice"}}, Next: rules.Assistant{}}
	for _, text := range []string{"salary kitni hai", "I send a legal notice", "kisi insaan se baat karao"} {
		answer, err := held.Answer(context.Background(), assistant.Turn{
			Business: "Haat Jobs", Introduced: true, Said: []assistant.Said{{Role: assistant.User, Text: text}},
			Found: list.Search(text, "en", 8),
		})
		fmt.Println(answer.Action, answer.Reason, answer.Sources, answer.Reply, err)
	}
	fmt.Println(policy.Announcement("hi-Latn", assistant.Requested))
	// Output:
	// answer  [salary] ₹18,000 a month. <nil>
	// hand_over topic []  <nil>
	// hand_over requested []  <nil>
	// Hamari team ka koi vyakti aapko yahin jawab dega.
}
