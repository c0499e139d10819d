package messagingapi

import (
	"strconv"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// failure is why something could not be sent, as a person can use it.
type failure struct {
	Code      string `json:"code" example:"131047" doc:"Meta's code, or a word of haatline's: unanswered, stopped, cancelled, other."`
	Meaning   string `json:"meaning" example:"More than 24 hours have passed since the customer last wrote." doc:"What has happened, in plain English."`
	Action    string `json:"action" example:"Send an approved template, or wait until the customer writes." doc:"What to do about it."`
	Retryable bool   `json:"retryable" doc:"Whether the same message can succeed later: at once, or when the cause is mended."`
	Said      string `json:"said,omitempty" example:"WhatsApp error 131047: Re-engagement message" doc:"What Meta said in its own words."`
}

// ownWords explain failures that Meta has no code for.
var ownWords = map[string]whatsapp.Explanation{
	outbox.KindUnanswered: {
		Meaning: "WhatsApp did not answer, so nobody knows whether the customer has it.",
		Action:  "Look whether the customer has it before you replay it: they may get it twice.", Retryable: true,
	},
	outbox.KindStopped: {
		Meaning: "Nobody has tried it yet: its number is stopped.",
		Action:  "Mend what stopped the number, and resume it. The list of numbers says why.", Retryable: true,
	},
	outbox.KindCancelled: {
		Meaning: "It was not sent, because its content did not hold any more when its turn came. The failure names " +
			"the reason.",
		Action: "Nothing. A new message says what still holds.",
	},
	outbox.KindOther: {
		Meaning: "It could not be sent, and there is no code for the reason.",
		Action:  "Read what was said, and report it to the people who run haatline.",
	},
}

// explain says what a failure's code means.
func explain(code string) whatsapp.Explanation {
	if own, known := ownWords[code]; known {
		return own
	}
	number, err := strconv.ParseInt(code, 10, 64)
	if err != nil {
		return ownWords[outbox.KindOther]
	}
	if known, found := whatsapp.Explain(number); found {
		return known
	}
	return whatsapp.Explanation{
		Meaning: "WhatsApp refused it, with a code that haatline does not know.",
		Action:  "Look the code up among WhatsApp's error codes, and read what Meta said.",
	}
}

// showFailure explains why an event failed, or was cancelled; nil for any other.
func showFailure(e model.OutboxEvent) *failure {
	if e.Status != model.OutboxFailed && e.Status != model.OutboxDeadLetter && e.Status != model.OutboxCancelled {
		return nil
	}
	code := e.FailureCode
	if code == "" {
		code = outbox.KindOther
	}
	why := explain(code)
	return &failure{Code: code, Meaning: why.Meaning, Action: why.Action, Retryable: why.Retryable, Said: e.LastError}
}
