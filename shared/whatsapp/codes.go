package whatsapp

import "slices"

// code is one of WhatsApp's error codes: how to retry, what it means, and what a person can do about it.
type code struct {
	number  int64
	class   Class
	meaning string
	action  string
}

// Actions for a person that several codes share.
const (
	retried  = "Nothing now: it is tried again by itself. Replay it if it gave up."
	fixToken = "Store a working access token of the business account, and resume the number. " +
		"Messages wait meanwhile."
	fixAccount = "Look at the account in WhatsApp Manager, fix what it names, and resume the number. " +
		"Messages wait meanwhile."
	useTemplate     = "Send an approved template, or wait until the customer writes."
	fixTemplate     = "Compare what was sent with the template in WhatsApp Manager, and send it again."
	useOtherChannel = "Reach the customer in another way. Dismiss this one."
	fixRequest      = "Send a corrected message. If haatline made the request, report the code to the people " +
		"who run it."
	chooseOther   = "Send it to another customer, or dismiss it."
	fixMedia      = "Send the file again, in a form and size that WhatsApp takes."
	fixGroup      = "Look at the group and at Meta's details of the failure, and send a corrected message."
	registerAgain = "Register the number with WhatsApp again, and resume it. Messages wait meanwhile."
)

// codes lists the codes that Meta documents for sending. Codes 200 to 299 are one kind: see Explain.
var codes = []code{
	{0, StopSender, "WhatsApp does not accept the access token.", fixToken},
	{1, Retry, "WhatsApp had an unknown internal error, or the request was wrong.", retried},
	{2, Retry, "WhatsApp is down or overloaded.", retried},
	{3, StopSender, "The access token may not do this.", fixToken},
	{4, Retry, "The app has made too many calls.", retried},
	{10, StopSender, "The access token has no permission to send for this number.", fixToken},
	{33, StopSender, "The business number has been deleted, or the token may not use it.", fixAccount},
	{100, Never, "WhatsApp does not understand the request: a parameter is wrong.", fixRequest},
	{190, StopSender, "The access token has expired or was withdrawn.", fixToken},
	{368, StopSender, "The business account is blocked for breaking a policy.", fixAccount},
	{80007, Retry, "The business account has reached its rate limit.", retried},
	{80009, Retry, "There were too many calls about the catalogue.", retried},
	{80014, Retry, "There were too many batches for the catalogue.", retried},
	{130429, Retry, "The number has sent too much at once.", retried},
	{130472, Never, "WhatsApp keeps this customer out of marketing messages, as part of an experiment.", chooseOther},
	{130497, Never, "The business may not write to customers in this country.", useOtherChannel},
	{131000, Retry, "WhatsApp could not send the message, for a reason of its own.", retried},
	{131005, StopSender, "The access token lacks a permission, or it was taken away.", fixToken},
	{131008, Never, "The request lacks a parameter.", fixRequest},
	{131009, Never, "A parameter has a value that WhatsApp does not accept.", fixRequest},
	{131016, Retry, "A service of WhatsApp is down for a while.", retried},
	{131020, Never, "WhatsApp refuses the request as it is.", fixRequest},
	{131021, Never, "The message goes to the number that sends it.", chooseOther},
	{131026, Never,
		"The message cannot be delivered: the customer is not on WhatsApp, has an old version, or has not " +
			"accepted its terms.", useOtherChannel},
	{131030, Never, "The customer is not among the recipients that a test number may write to.",
		"Add the customer to the test number's recipients, or send from a live number."},
	{131031, StopSender, "The business account is locked or restricted.", fixAccount},
	{131037, StopSender, "The number has no approved display name.", fixAccount},
	{131041, Never, "WhatsApp refuses the message as it is.", fixRequest},
	{131042, StopSender, "The business account cannot be charged.",
		"Fix the way of paying in WhatsApp Manager, and resume the number. Messages wait meanwhile."},
	{131045, StopSender, "The number is not registered correctly.", registerAgain},
	{131047, Never, "More than 24 hours have passed since the customer last wrote.", useTemplate},
	{131048, StopSender, "The number is restricted, because customers reported or blocked it.", fixAccount},
	{131049, WaitADay, "WhatsApp limits how many marketing messages this customer gets.",
		"Nothing now: it is tried again tomorrow. Replay it later if it gave up."},
	{131050, Never, "The customer has asked this business for no marketing messages.", useOtherChannel},
	{131051, Never, "WhatsApp does not know this type of message.", fixRequest},
	{131052, Never, "The customer's file could not be downloaded.", "Ask the customer to send the file again."},
	{131053, Never, "The file could not be uploaded.", fixMedia},
	{131055, Never, "The number may not send this kind of message in the way it is set up.", fixRequest},
	{131056, WaitForPair, "Too many messages went to this customer in a short time.", retried},
	{131057, Retry, "The business account is in maintenance.", retried},
	{131059, Never, "WhatsApp refuses the message as it is.", fixRequest},
	{131062, Never, "WhatsApp does not reach this customer by the user id.", useOtherChannel},
	{131063, Never, "WhatsApp does not take this message for a user id.", useOtherChannel},
	{131064, StopSender, "The business account may not send just now.", fixAccount},
	{131201, Never, "WhatsApp refuses the request to the group.", fixGroup},
	{131202, Never, "WhatsApp refuses the request to the group.", fixGroup},
	{131204, Never, "WhatsApp refuses the request to the group.", fixGroup},
	{131207, Never, "WhatsApp has suspended the group.", fixGroup},
	{131208, Retry, "The number has changed too many groups in a short time.", retried},
	{131209, Never, "WhatsApp refuses the message to the group.", fixGroup},
	{131210, Never, "WhatsApp refuses the message to the group.", fixGroup},
	{131211, Never, "The number has as many groups as it may.", fixGroup},
	{131212, Never, "Somebody is not in the group.", fixGroup},
	{131213, Never, "WhatsApp refuses the message to the group.", fixGroup},
	{131214, Never, "WhatsApp refuses the message to the group.", fixGroup},
	{131215, Never, "WhatsApp refuses the message to the group.", fixGroup},
	{132000, Never, "The template has a different number of variables than were filled.", fixTemplate},
	{132001, Never, "There is no approved template of this name in this language.", fixTemplate},
	{132005, Never, "The template becomes too long with these values.", fixTemplate},
	{132007, Never, "The template breaks a rule on content.", fixTemplate},
	{132012, Never, "A value has a different form than the template's variable.", fixTemplate},
	{132015, Never, "The template is paused, because customers rated it low.",
		"Send another template, or wait until WhatsApp takes it back. Then replay this one."},
	{132016, Never, "The template has been paused too often, and is disabled for good.", "Send another template."},
	{132018, Never, "WhatsApp refuses the template's values.", fixTemplate},
	{132068, Never, "The flow is blocked.", "Fix the flow in WhatsApp Manager, and send the message again."},
	{132069, WaitAnHour, "The flow is throttled: it has been used too often in an hour.", retried},
	{133000, StopSender, "The number was not deregistered completely.", registerAgain},
	{133004, Retry, "WhatsApp's server is not available for a while.", retried},
	{133005, StopSender, "The PIN for two-step verification is wrong.", registerAgain},
	{133006, StopSender, "The number has to be verified before it is registered.", registerAgain},
	{133008, StopSender, "The PIN was wrong too often. WhatsApp says in its details how long to wait.", registerAgain},
	{133009, StopSender, "The PIN was entered too fast. WhatsApp says in its details how long to wait.", registerAgain},
	{133010, StopSender, "The number is not registered with WhatsApp.", registerAgain},
	{133015, StopSender, "The number was deleted a short while ago and is not free yet.",
		"Wait five minutes, register the number, and resume it."},
	{133016, StopSender, "The number was registered and deregistered too often.",
		"Wait until WhatsApp lets the number register, and resume it."},
	{134011, Never, "Payments are not set up for the business account.",
		"Accept the terms of payments in WhatsApp Manager, and send the message again."},
	{134100, Never, "Only marketing messages may be sent in this way.", fixRequest},
	{134101, Retry, "The template is still being taken over by WhatsApp.", retried},
	{134102, Never, "The template cannot be sent in this way.", fixTemplate},
	{135000, Never, "WhatsApp could not process the message.", fixRequest},
	{137000, Never, "WhatsApp refuses the message as it is.", fixRequest},
	{138009, Never, "The customer was asked too often for permission to call.",
		"Ask again in a few days, or call when the customer has called."},
}

// retryableAfterFix lists the codes of messages that are never retried automatically but can succeed after a person has
// fixed the cause.
var retryableAfterFix = []int64{131030, 132015, 132068, 134011}

// noPermission describes the codes from 200 to 299.
var noPermission = code{200, StopSender, "The access token lacks a permission, or it was taken away.", fixToken}

// known returns the description of a code, and whether there is one.
func known(number int64) (code, bool) {
	if number >= 200 && number <= 299 {
		return noPermission, true
	}
	at := slices.IndexFunc(codes, func(c code) bool { return c.number == number })
	if at < 0 {
		return code{}, false
	}
	return codes[at], true
}

// Explanation is what an error means to a person.
type Explanation struct {
	Meaning   string // in plain English
	Action    string // what to do
	Retryable bool   // whether the same message can succeed later, possibly after a person has fixed the cause
}

// Explain returns what an error code means. It reports false for an unknown code.
func Explain(number int64) (Explanation, bool) {
	c, found := known(number)
	if !found {
		return Explanation{}, false
	}
	return Explanation{c.meaning, c.action, c.class != Never || slices.Contains(retryableAfterFix, number)}, true
}
