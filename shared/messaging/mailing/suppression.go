package mailing

import (
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/problem"
)

// ErrSuppressed means that nothing is sent to an address any more: it does not work, or its owner has called an email
// of the tenant spam.
var ErrSuppressed = problem.New("nothing is sent to the address any more", problem.Error{
	Class: problem.Conflict, Code: "address-suppressed", Title: "Address suppressed",
	Detail: "Nothing is sent to the address any more: an email has come back from it for good, or its owner has " +
		"called one spam. Reach the person on another channel.",
})

// Suppressed is why an email is not sent any more whose address was suppressed after it was accepted.
const Suppressed = "address_suppressed"

// refusals are the errors of emails to an address to which nothing is sent.
var refusals = map[suppression.Why]error{
	suppression.Bounced: ErrSuppressed, suppression.Complained: ErrSuppressed, suppression.Left: sending.ErrLeft,
}

// unwanted are why emails are not sent any more that were accepted before.
var unwanted = map[suppression.Why]string{
	suppression.Bounced: Suppressed, suppression.Complained: Suppressed, suppression.Left: sending.OptedOut,
}
