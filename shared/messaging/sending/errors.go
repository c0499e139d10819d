package sending

import "github.com/haatline/haatline/shared/problem"

var (
	// ErrWindowClosed means that the customer has not written for 24 hours. Only templates may be sent.
	ErrWindowClosed = problem.New("the customer service window is closed", problem.Error{
		Class: problem.Conflict, Code: "window-closed", Title: "Customer service window closed",
		Detail: "WhatsApp lets a business send free-form messages only within 24 hours of the customer's " +
			"last message. " +
			"Send an approved template instead, or wait until the customer writes.",
	})
	// ErrOptedOut means that the customer has opted out and has not written since.
	ErrOptedOut = problem.New("the customer has opted out", problem.Error{
		Class: problem.Conflict, Code: "opted-out", Title: "Customer opted out",
		Detail: "The customer has asked not to be written to, and has written nothing since. " +
			"Wait until they write, or give a reason in overrideOptOut; it stays in the audit record.",
	})
	// ErrLeft means that the person has asked to get nothing more by email, or by SMS.
	ErrLeft = problem.New("the person has opted out of the channel", problem.Error{
		Class: problem.Conflict, Code: "opted-out", Title: "Person opted out",
		Detail: "The person has asked to get nothing more on this channel. Wait until they write START there, or " +
			"reach them on another channel.",
	})
	// ErrMarketingStopped means that the customer has stopped marketing messages in WhatsApp. Meta would refuse the
	// template.
	ErrMarketingStopped = problem.New("the customer has stopped marketing messages", problem.Error{
		Class: problem.Conflict, Code: "marketing-stopped", Title: "Marketing messages stopped",
		Detail: "The customer has chosen in WhatsApp to get no marketing messages of this business. Other " +
			"templates may be sent.",
	})
	// ErrUnreachable means that the identifier is unknown and neither a phone number nor a user id.
	ErrUnreachable = problem.New("neither a phone number nor a user id", problem.Error{
		Class: problem.Invalid, Field: "path.conversationId",
		Detail: "nobody has written from there, and it is neither a phone number with its country code nor a user id",
	})
	// ErrNotForGroups means that WhatsApp does not take the kind of message for a group.
	ErrNotForGroups = problem.New("not for groups", problem.Error{
		Class: problem.Unprocessable, Code: "not-for-groups", Title: "Not for groups",
		Detail: "WhatsApp takes texts, pictures, videos, sounds, documents, stickers and templates of these for a " +
			"group, and nothing else.",
	})
	// ErrOnlyGroups means that WhatsApp takes the kind of message for a group only.
	ErrOnlyGroups = problem.New("only for groups", problem.Error{
		Class: problem.Unprocessable, Code: "only-for-groups", Title: "Only for groups",
		Detail: "WhatsApp takes this for a group only.",
	})
	// ErrNeedsNumber means that an authentication template was to go to a user id.
	ErrNeedsNumber = problem.New("an authentication template needs a phone number", problem.Error{
		Class: problem.Unprocessable, Code: "needs-number", Title: "A phone number is needed",
		Detail: "WhatsApp takes authentication templates for phone numbers only, and of this customer only the " +
			"user id is known.",
	})
	// ErrIdentityUnknown means that the customer's encryption key was to be checked, and is not known.
	ErrIdentityUnknown = problem.New("the customer's identity is not known", problem.Error{
		Class: problem.Conflict, Code: "identity-unknown", Title: "Identity not known",
		Detail: "WhatsApp has not said which encryption key the customer has, so it cannot be checked. Send the " +
			"message without checkIdentity.",
	})
	// ErrNoSuchTarget means that the message to react to, or to pin, is not in the conversation.
	ErrNoSuchTarget = problem.New("no such message in the conversation", problem.Error{
		Class: problem.Invalid, Field: "body.messageId",
		Detail: "no message of this conversation that WhatsApp knows",
	})
	// ErrNoSuchMessage means that the message to answer is not in the conversation.
	ErrNoSuchMessage = problem.New("no such message in the conversation", problem.Error{
		Class: problem.Invalid, Field: "body.replyTo",
		Detail: "no message of this conversation that WhatsApp knows",
	})
)
