// Package whatsappsim is the simulated WhatsApp. Its Cloud API accepts and validates messages as Meta documents, and posts
// signed webhooks back. Through its control API a person or a test plays customers and causes faults. It keeps everything in
// memory. Of the system under test it knows only a webhook address, an app secret and an access token.
//
// # Graph API
//
//	POST /{version}/{phone-number-id}/messages            send a message, or mark one as read
//	POST /{version}/{phone-number-id}/marketing_messages  send a marketing template
//	POST /{version}/{phone-number-id}/media               upload a file, as a form
//	GET  /{version}/{media-id}                            what a file is, and its address, good for five minutes and
//	                                                      with the token; DELETE forgets the file
//	GET  /{version}/{phone-number-id}                     display number, quality, throughput; ?fields= for others
//	GET  /{version}/{waba-id}                             the business account
//	GET  /{version}/{waba-id}/phone_numbers               its numbers, each with ?fields=
//	GET  /{version}/{waba-id}/subscribed_apps             the apps that hear of what happens in it; POST and DELETE
//	                                                      subscribe and unsubscribe the token's app
//	GET  /{version}/debug_token?input_token=              what a token is and may do
//	GET  /{version}/{app-id}/subscriptions                where the app's webhooks go; with the app's own token,
//	                                                      {app-id}|{app-secret}; POST sets it, if the address
//	                                                      answers the handshake
//	POST /{version}/{phone-number-id}/register            connects a number, with a PIN
//	GET  /{version}/{waba-id}/message_templates           the templates of TemplatesDir, and hello_world in en_US,
//	                                                      in pages; with ?fields=, ?limit=, ?after= and ?name=
//
// There are the numbers of PhoneNumbers, those that were added, and those that a customer has written to; where PhoneNumbers
// has none, any id is taken. A message is judged by the
// token's scopes and the number's registration, by its form, by its template and its files, then by the faults set, then by
// the phone's throughput (80 a second, 1,000 if the account says HIGH, 130429) and the pair's rate (one per 6 s, bursts to
// 45, 131056). An accepted message can still end as a failed status: outside the user's 24-hour window if it is no template
// (131047), a reaction or a pin of an unknown message (131009), a link into the domain .invalid or a file of another kind
// than the message (131053), marketing to who has stopped it (131050). A reaction is only ever sent.
// A window is opened by what the customer says here; it is forgotten when the process ends.
//
// Where WhatsApp is wider than its own documents say, the simulator follows the documents, so that what passes here
// passes there. It takes more in one place: a message without a type is read by the one content it carries, as an
// official example shows.
//
// # Control API
//
// Plain JSON, no token.
//
//	POST   /simulator/say        a customer writes; see SayRequest. Answers {"id", "status", "retrying", "error"}, where
//	                             status is what the webhook answered (0: nothing). Anything but 200 is tried again
//	                             in the background, as WhatsApp does.
//	POST   /simulator/webhook    posts the body as it is, signed, once. Answers {"status", "error"}.
//	GET    /simulator/messages   what was accepted, oldest first: {"messages": [...]}; see AcceptedMessage.
//	                             ?to= and ?callback_data= narrow it, ?limit= keeps the latest.
//	DELETE /simulator/messages   forgets them
//	POST   /simulator/faults     sets a fault, behind those set before; see Fault
//	GET    /simulator/faults     the faults that have times left
//	DELETE /simulator/faults     clears them
//	PUT    /simulator/account    what is true of the app, its token, the business account and its numbers; see Account.
//	                             What is left out is as it should be. Answers with all of it.
//	GET    /simulator/account    what is true of them now
//	POST   /simulator/numbers    {"id": "…"} adds a number, as a person adds one at Meta
//	DELETE /simulator/account    makes all of it as it should be
//
// An account, by example:
//
//	{"subscribed": false, "callbackUrl": "https://elsewhere.example/webhooks/whatsapp"}
//	{"expiresAt": 1700000000}                       the token has expired: nothing can be sent either
//	{"scopes": ["whatsapp_business_messaging"], "quality": "RED", "status": "PENDING"}
//	{"templateStatus": {"order_confirmation": "PAUSED"}, "holdMarketing": true, "identityHash": "abc"}
//
// An expired token, a missing scope and a number that is not CONNECTED keep messages back. The simulator posts webhooks
// whatever is set.
//
// The first fault that matches a message applies to it and loses one of its times. Read receipts are matched only by
// faults of type "read", downloads of files only by faults of type "download". Faults, by example:
//
//	{"fail": {"code": 131026, "http": 400}}                            refused with a Graph error
//	{"http": 503}                                                      answered by something that is not Graph
//	{"failStatus": {"code": 131026, "title": "Message undeliverable"}} accepted, then failed
//	{"loseAnswer": true}                                               accepted and delivered, the connection is cut
//	{"delayAnswer": "3s"}                                              accepted and delivered, answered late
//	{"match": {"type": "download"}, "delayAnswer": "3s"}               the second half of a file comes late; with
//	                                                                   loseAnswer, never
//	{"statuses": {"delay": "5s", "drop": ["read"], "duplicate": true, "reorder": true}}
//	{"match": {"to": "919…", "type": "text", "textContains": "hello"}, "times": 3, "loseAnswer": true}
package whatsappsim
