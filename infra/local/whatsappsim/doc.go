// Package whatsappsim simulates WhatsApp's Cloud API on this machine. It is for tests and for local development of a
// program that sends messages with the Graph API and gets webhooks. It needs no Meta account and no network.
//
// A [Server] is an http.Handler with two halves:
//
//   - The Graph API accepts and validates messages as Meta documents, and posts signed webhooks to the program.
//   - The control API lets a person or a test play customers, cause faults, and read what was accepted.
//
// To use it, create a server with [New], serve it under any address, and let the program under test call this address
// instead of https://graph.facebook.com. The simulator knows three things about the program: the address of its
// webhook, its app secret and its access token. The example below shows all steps.
//
// # Graph API
//
//	POST /{version}/{phone-number-id}/messages            sends a message, or marks one as read
//	POST /{version}/{phone-number-id}/marketing_messages  sends a marketing template
//	POST /{version}/{phone-number-id}/media               uploads a file, as a form
//	GET  /{version}/{media-id}                            describes a file, with an address for its download. The address
//	                                                      works for five minutes and with the token. DELETE forgets
//	                                                      the file
//	GET  /{version}/{phone-number-id}                     display number, quality, throughput; ?fields= for others
//	POST /{version}/{phone-number-id}/payments_refund     gives money of a captured payment back. Of an order that goes
//	                                                      through Razorpay, a gateway posts payments and refunds below
//	                                                      [Options.GatewayURL], as Razorpay does
//	GET  /{version}/{waba-id}                             the business account
//	GET  /{version}/{waba-id}/phone_numbers               its numbers, each with ?fields=
//	GET  /{version}/{waba-id}/subscribed_apps             the apps that get its webhooks. POST and DELETE subscribe and
//	                                                      unsubscribe the token's app
//	POST /{version}/{waba-id}/payment_configuration       makes a way to pay, or changes one. GET …/{name} looks at it,
//	                                                      and DELETE ?configuration_name= deletes it
//	GET  /{version}/debug_token?input_token=              describes a token and its permissions
//	GET  /{version}/{app-id}/subscriptions                the address of the app's webhooks, for the app's own token,
//	                                                      {app-id}|{app-secret}. POST sets the address, if it answers
//	                                                      the handshake
//	POST /{version}/{phone-number-id}/register            connects a number, with a PIN; deregister ends that
//	POST /{version}/{phone-number-id}/request_code        sends SentCode, by which verify_code verifies a number
//	POST /{version}/{phone-number-id}                     sets its PIN, or asks for a new_display_name
//	GET  /{version}/{phone-number-id}/whatsapp_business_profile   its profile; POST changes it. So do settings, for
//	                                                      calling, and whatsapp_commerce_settings
//	POST /{version}/{phone-number-id}/conversational_automation   sets its greeting, ice breakers and commands
//	POST /{version}/{phone-number-id}/message_qrdls       makes a QR code, or changes one. GET lists them, and DELETE
//	                                                      …/{code} deletes one
//	POST /{version}/{phone-number-id}/block_users         blocks people. DELETE unblocks them, and GET lists them
//	GET  /{version}/{waba-id}/product_catalogs            the catalogue that is connected to the business account. POST
//	                                                      and DELETE with catalog_id connect one, and end that
//	GET  /{version}/{business-id}/owned_product_catalogs  the catalogues of the portfolio, whose id is in
//	                                                      owner_business_info of the business account.
//	                                                      owned_whatsapp_business_accounts has its accounts
//	GET  /{version}/{catalog-id}/products                 the products of a catalogue, in pages
//	POST /{version}/{catalog-id}/items_batch              creates, updates and deletes up to 5,000 products.
//	                                                      GET …/check_batch_request_status?handle= says what came of
//	                                                      it: at the first look it is still started
//	POST /{version}/{phone-number-id}/groups              makes a group, which group_lifecycle_update tells of: one with
//	                                                      "reject" in its subject is not made. GET lists them
//	POST /{version}/{group-id}                            changes its subject or description. GET shows it with
//	                                                      ?fields=, and DELETE deletes it
//	POST /{version}/{group-id}/invite_link                makes another invite link. GET shows it
//	POST /{version}/{group-id}/join_requests              approves people, and DELETE rejects them. GET lists them
//	DELETE /{version}/{group-id}/participants             removes up to 8 people
//	POST /{version}/{phone-number-id}/calls               rejects or terminates a call. It cannot take one
//	GET  /{version}/{phone-number-id}/call_permissions    whether somebody may be called, with ?user_wa_id=
//	GET  /{version}/{waba-id}?fields=analytics.start(…)…  what was sent, and pricing_analytics, in half hours
//	GET  /{version}/{waba-id}/template_analytics          what was sent by template, in days of UTC
//	GET  /{version}/{waba-id}/message_templates           the templates of TemplatesDir, and hello_world in en_US,
//	                                                      in pages; with ?fields=, ?limit=, ?after= and ?name=.
//	                                                      POST creates one, which is reviewed after a moment: one with
//	                                                      "reject" in its name is rejected, and others are approved.
//	                                                      One for UTILITY with "promo" in its name is for MARKETING.
//	                                                      DELETE with ?name= and ?hsm_id= deletes one, or all languages
//	GET  /{version}/message_template_library              the templates of the library, in pages; with ?search=,
//	                                                      ?name=, ?topic=, ?usecase=, ?industry= and ?language=
//	POST /{version}/{template-id}                         edits a template, which is reviewed again
//	POST /{version}/{app-id}/uploads                      begins the upload of a template's sample, with ?file_length=
//	                                                      and ?file_type=. POST /{version}/{upload-id} takes it, and
//	                                                      answers its handle
//
// These numbers exist: those in [Options.PhoneNumbers], those that the control API added, and those that a customer has
// written to. If PhoneNumbers is empty, every id is accepted.
//
// The simulator checks a message in this order:
//
//  1. the token's scopes and the number's registration,
//  2. the form of the message,
//  3. its template and its files,
//  4. the faults that the control API set,
//  5. the number's throughput: 80 messages a second, or 1,000 if the account says HIGH (error 130429),
//  6. the rate for one customer: one message per 6 s, with bursts of 45 (error 131056).
//
// An accepted message can still get the status failed:
//
//   - It is not a template, and the customer's 24-hour window is closed (131047). A window opens when the customer
//     writes through the control API, and for each message in a body that is given to [Server.Posted]. It is forgotten
//     when the process ends.
//   - It is a reaction to an unknown message, or pins one (131009).
//   - It has a link into the domain .invalid, or a file that does not fit its type (131053).
//   - It is marketing, and the customer has stopped marketing (131050).
//   - It is a template outside the window, and the portfolio has written to as many customers first within 24 hours
//     as its messaging limit allows, whichever number it used; or the account says that the number is restricted for
//     spam (131048).
//   - It is marketing, and the customer has got as many marketing templates within 24 hours as the account allows for
//     one customer (131049).
//
// A reaction gets the status sent, and no other.
//
// # Control API
//
// The control API takes and returns plain JSON. It needs no token.
//
//	POST   /simulator/say        plays a customer who writes; see [SayRequest]. It answers {"id", "status", "retrying",
//	                             "error"}. The status is the webhook's answer; 0 means no answer. After any other answer
//	                             than 200, the simulator tries again in the background, as WhatsApp does.
//	POST   /simulator/fill       plays a customer who opens a form, or sends a screen of it; see [FillRequest]. It asks the
//	                             endpoint of forms, encrypted, and answers with the next screen; see [FillAnswer].
//	POST   /simulator/webhook    signs the body and posts it once, unchanged. It answers {"status", "error"}.
//	GET    /simulator/messages   the accepted messages, oldest first: {"messages": [...]}; see [AcceptedMessage].
//	                             ?to= and ?callback_data= select messages, ?limit= keeps the latest.
//	DELETE /simulator/messages   forgets them
//	POST   /simulator/faults     sets a fault, after the earlier ones; see [Fault]
//	GET    /simulator/faults     the faults that still apply
//	DELETE /simulator/faults     clears them
//	PUT    /simulator/account    sets the state of the app, its token, the business account and its numbers; see
//	                             [Account]. A field that is left out has the value of a healthy account. It answers
//	                             with all fields.
//	GET    /simulator/account    the current state
//	DELETE /simulator/account    sets the state of a healthy account
//	POST   /simulator/numbers    {"id": "…"} adds a number, as a person adds one at Meta
//	POST   /simulator/groups     plays somebody who joins or leaves a group; see [GroupPerson]
//	POST   /simulator/calls      plays a customer who calls; see [CallPerson]. It answers {"callId"}
//	POST   /simulator/catalogs   {"id": "…", "name": "…"} adds a catalogue, as a person adds one at Meta
//	PUT    /simulator/insights   {"confirmed": false} has templates not counted, as before a person confirms it at Meta
//	POST   /simulator/flows      {"id": "…", "status": "THROTTLED", "requests": 300} gives a flow a status, which is
//	                             posted, and requests to its endpoint
//
// Examples of an account:
//
//	{"subscribed": false, "callbackUrl": "https://elsewhere.example/webhooks/whatsapp"}
//	{"expiresAt": 1700000000}                       the token has expired, so every call of the Graph API fails
//	{"scopes": ["whatsapp_business_messaging"], "quality": "RED", "status": "PENDING"}
//	{"limit": "TIER_250"}                           the portfolio may write to 250 customers first within 24 hours
//	{"spamLimited": true, "marketingPerCustomer": 2}
//	{"templateStatus": {"order_confirmation": "PAUSED"}, "holdMarketing": true, "identityHash": "abc"}
//
// An expired token, a missing scope and a number that is not CONNECTED keep messages back. They do not keep webhooks
// back.
//
// The first fault that matches a message applies to it, and loses one of its times. Only a fault of type "read" matches
// a read receipt, only one of type "download" the download of a file, and only one of type "setting" a change of what a
// business sets of its numbers. Examples of faults:
//
//	{"fail": {"code": 131026, "http": 400}}                            refused with a Graph error
//	{"http": 503}                                                      answered with this status and no Graph error
//	{"failStatus": {"code": 131026, "title": "Message undeliverable"}} accepted, then failed
//	{"loseAnswer": true}                                               accepted and delivered, but the connection is cut
//	{"delayAnswer": "3s"}                                              accepted and delivered, but answered late
//	{"match": {"type": "download"}, "delayAnswer": "3s"}               the second half of a file comes late; with
//	                                                                   loseAnswer, it never comes
//	{"statuses": {"delay": "5s", "drop": ["read"], "duplicate": true, "reorder": true}}
//	{"match": {"to": "919…", "type": "text", "textContains": "hello"}, "times": 3, "loseAnswer": true}
//
// # Limits
//
//   - It keeps everything in memory, and at most 10,000 messages and 10,000 customers.
//   - It simulates one app with one business account.
//   - It connects no calls. It accepts messages to any group and with a flow. A test posts the webhooks of such things
//     with POST /simulator/webhook.
//   - It looks at the versions, the screens and the types of components of a flow's JSON. A customer may fill in any
//     form, and every number has the same public key for forms.
//   - Somebody who is blocked can still write, and be written to.
//   - It serves plain HTTP, and the control API is open to everybody. Do not make it reachable from outside.
//   - It follows Meta's documents. If WhatsApp accepts more than they say, the simulator refuses the message, so that a
//     message that passes here passes there. There is one exception: a message without a type gets the type of its only
//     content, because an official example shows this.
package whatsappsim
