package whatsapp

import "slices"

// code is an error code of the platform: what it asks for, what it means, and what a person can do about it.
type code struct {
	number  int64
	class   Class
	meaning string
	action  string
}

// Actions that many codes share.
const (
	itIsRetried   = "Nothing now: it is tried again by itself. Replay it if it gave up."
	mendToken     = "Store a working access token of the business account, and resume the number. Messages wait meanwhile."
	mendAccount   = "Look at the account in WhatsApp Manager, mend what it names, and resume the number. Messages wait meanwhile."
	useTemplate   = "Send an approved template, or wait until the customer writes."
	mendTemplate  = "Compare what was sent with the template in WhatsApp Manager, and send it anew."
	otherWay      = "Reach the customer in another way. Dismiss this one."
	mendRequest   = "Send a corrected message. If haatline made the request, report the code to the people who run it."
	chooseOther   = "Send it to another customer, or dismiss it."
	mendMedia     = "Send the file anew, in a form and size that WhatsApp takes."
	registerAgain = "Register the number with the platform again, and resume it. Messages wait meanwhile."
)

// codes are all codes that the platform documents for sending. Those from 200 to 299 are one kind: see Explain.
var codes = []code{
	{0, StopSender, "The platform does not accept the access token.", mendToken},
	{1, Retry, "The platform had an unknown trouble of its own, or the request was wrong.", itIsRetried},
	{2, Retry, "The platform is down or overloaded.", itIsRetried},
	{3, StopSender, "The access token may not do this.", mendToken},
	{4, Retry, "The app has made too many calls.", itIsRetried},
	{10, StopSender, "The access token has no permission to send for this number.", mendToken},
	{33, StopSender, "The business number has been deleted, or the token may not use it.", mendAccount},
	{100, Never, "The platform does not understand the request: a parameter is wrong.", mendRequest},
	{190, StopSender, "The access token has expired or was withdrawn.", mendToken},
	{368, StopSender, "The business account is blocked for breaking a policy.", mendAccount},
	{80007, Retry, "The business account has reached its rate limit.", itIsRetried},
	{130429, Retry, "The number has sent too much at once.", itIsRetried},
	{130472, Never, "WhatsApp keeps this customer out of marketing messages, as part of an experiment.", chooseOther},
	{130497, Never, "The business may not write to customers in this country.", otherWay},
	{131000, Retry, "The platform could not send the message, for a reason of its own.", itIsRetried},
	{131005, StopSender, "The access token lacks a permission, or it was taken away.", mendToken},
	{131008, Never, "The request lacks a parameter.", mendRequest},
	{131009, Never, "A parameter has a value that the platform does not take.", mendRequest},
	{131016, Retry, "A service of the platform is down for a while.", itIsRetried},
	{131020, Never, "The platform refuses the request as it is.", mendRequest},
	{131021, Never, "The message goes to the number that sends it.", chooseOther},
	{131026, Never, "The message cannot be delivered: the customer is not on WhatsApp, has an old version, or has not accepted its terms.", otherWay},
	{131030, Never, "The customer is not among the recipients that a test number may write to.", "Add the customer to the test number's recipients, or send from a live number."},
	{131031, StopSender, "The business account is locked or restricted.", mendAccount},
	{131037, StopSender, "The number has no approved display name.", mendAccount},
	{131041, Never, "The platform refuses the message as it is.", mendRequest},
	{131042, StopSender, "The business account cannot be charged.", "Mend the way of paying in WhatsApp Manager, and resume the number. Messages wait meanwhile."},
	{131045, StopSender, "The number is not registered rightly.", registerAgain},
	{131047, Never, "More than 24 hours have passed since the customer last wrote.", useTemplate},
	{131048, StopSender, "The number is restricted, because customers reported or blocked it.", mendAccount},
	{131049, WaitADay, "WhatsApp limits how many marketing messages this customer gets.", "Nothing now: it is tried again tomorrow. Replay it later if it gave up."},
	{131050, Never, "The customer has asked this business for no marketing messages.", otherWay},
	{131051, Never, "The platform does not know this type of message.", mendRequest},
	{131052, Never, "The customer's file could not be downloaded.", "Ask the customer to send the file again."},
	{131053, Never, "The file could not be uploaded.", mendMedia},
	{131056, WaitForPair, "Too many messages went to this customer in a short time.", itIsRetried},
	{131057, Retry, "The business account is in maintenance.", itIsRetried},
	{131062, Never, "The platform does not reach this customer by the user id.", otherWay},
	{131063, Never, "The platform does not take this message for a user id.", otherWay},
	{131064, StopSender, "The business account may not send just now.", mendAccount},
	{132000, Never, "The template has another number of variables than were filled.", mendTemplate},
	{132001, Never, "There is no approved template of this name in this language.", mendTemplate},
	{132005, Never, "The template becomes too long with these values.", mendTemplate},
	{132007, Never, "The template breaks a rule on content.", mendTemplate},
	{132012, Never, "A value has another form than the template's variable.", mendTemplate},
	{132015, Never, "The template is paused, because customers rated it low.", "Send another template, or wait until WhatsApp takes it back. Then replay this one."},
	{132016, Never, "The template has been paused too often, and is disabled for good.", "Send another template."},
	{132018, Never, "The platform refuses the template's values.", mendTemplate},
	{132068, Never, "The flow is blocked.", "Mend the flow in WhatsApp Manager, and send the message anew."},
	{132069, WaitAnHour, "The flow is throttled: it has been used too often in an hour.", itIsRetried},
	{133004, Retry, "The platform's server is not available for a while.", itIsRetried},
	{133010, StopSender, "The number is not registered with the platform.", registerAgain},
	{134011, Never, "Payments are not set up for the business account.", "Accept the terms of payments in WhatsApp Manager, and send the message anew."},
	{134100, Never, "Only marketing messages may be sent in this way.", mendRequest},
	{134101, Retry, "The template is still being taken over by the platform.", itIsRetried},
	{134102, Never, "The template cannot be sent in this way.", mendTemplate},
	{135000, Never, "The platform could not make anything of the message.", mendRequest},
	{137000, Never, "The platform refuses the message as it is.", mendRequest},
}

// onceMended are the codes of messages that are never tried again by themselves, and that can succeed after a person has mended
// the cause.
var onceMended = []int64{131030, 132015, 132068, 134011}

// noPermission stands for the codes from 200 to 299.
var noPermission = code{200, StopSender, "The access token lacks a permission, or it was taken away.", mendToken}

var codeOf = func() map[int64]code {
	all := make(map[int64]code, len(codes))
	for _, c := range codes {
		all[c.number] = c
	}
	return all
}()

// known returns what is known of a code.
func known(number int64) (code, bool) {
	if number >= 200 && number <= 299 {
		return noPermission, true
	}
	c, found := codeOf[number]
	return c, found
}

// Explanation is what an error means to a person.
type Explanation struct {
	Meaning   string // in plain English
	Action    string // what to do
	Retryable bool   // whether the same message can succeed later, at once or after the cause has been mended
}

// Explain says what an error code means. It reports false for a code that nobody knows.
func Explain(number int64) (Explanation, bool) {
	c, found := known(number)
	if !found {
		return Explanation{}, false
	}
	return Explanation{c.meaning, c.action, c.class != Never || slices.Contains(onceMended, number)}, true
}
