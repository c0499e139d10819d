package whatsappsim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// readReceipt is what a mark-as-read body counts as where faults are matched.
const readReceipt = "read"

var versionForm = regexp.MustCompile(`^v[0-9]{1,3}\.[0-9]$`)

// checkToken says what is wrong with an access token; nil if nothing is.
func (s *Server) checkToken(token string) *graphError {
	switch {
	case token == "" || s.options.AccessToken != "" && token != s.options.AccessToken:
		return badToken()
	case s.account.get().expired(s.options.Now()):
		return expiredToken()
	}
	return nil
}

// bearerOf returns the token of a request, "" if it has none. Uploads of samples send it with the scheme OAuth.
func bearerOf(r *http.Request) string {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if kind != "Bearer" && kind != "OAuth" {
		return ""
	}
	return token
}

// authorized refuses what the Graph API refuses before it looks at a body.
func (s *Server) authorized(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !versionForm.MatchString(r.PathValue("version")) {
			writeGraphError(w, unknownPath(r))
			return
		}
		if refusal := s.checkToken(bearerOf(r)); refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		next(w, r)
	}
}

func (s *Server) handleMessages(w http.ResponseWriter, r *http.Request) { s.takeMessage(w, r, false) }

// handleMarketing takes marketing templates only.
func (s *Server) handleMarketing(w http.ResponseWriter, r *http.Request) { s.takeMessage(w, r, true) }

func (s *Server) takeMessage(w http.ResponseWriter, r *http.Request, marketing bool) {
	phone := r.PathValue("id")
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if err != nil {
		writeGraphError(w,
			refuse(http.StatusBadRequest, 100, "The body could not be read, or is larger than %d bytes.",
				maxMessageBytes))
		return
	}
	fields, err := decodeObject(raw)
	if err != nil {
		writeGraphError(w, refuse(http.StatusBadRequest, 100, "The body must be a JSON object."))
		return
	}
	if _, hasStatus := fields["status"]; hasStatus && !marketing {
		s.markRead(w, r, phone, fields)
		return
	}
	s.send(w, r, phone, raw, fields, marketing)
}

// decodeObject decodes one JSON object and nothing after it, numbers as they are written.
func decodeObject(raw []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	if fields == nil {
		return nil, errors.New("null is not an object")
	}
	return fields, nil
}

func (s *Server) markRead(w http.ResponseWriter, r *http.Request, phone string, fields map[string]any) {
	c := &check{}
	root := object{fields: fields}
	c.oneOf(root, "messaging_product", "whatsapp")
	c.oneOf(root, "status", "read")
	c.required(root, "message_id", 512)
	if root.has("typing_indicator") {
		c.oneOf(c.object(root, "typing_indicator"), "type", "text")
	}
	if c.err != nil {
		writeGraphError(w, c.err)
		return
	}
	fault := s.faults.take(phone, "", readReceipt, fields)
	s.answer(w, r, fault,
		func() (int, any, *graphError) { return http.StatusOK, map[string]bool{"success": true}, nil })
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, phone string, raw []byte, fields map[string]any,
	marketing bool) {
	m, refusal := readMessage(raw, fields)
	if refusal == nil {
		refusal = s.check(phone, m, marketing)
	}
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	fault := s.faults.take(phone, m.to.key(), m.kind, fields)
	s.answer(w, r, fault, func() (int, any, *graphError) { return s.accept(phone, m, fault) })
}

// check refuses a message that is right in form for what is known of its parts.
func (s *Server) check(phone string, m message, marketing bool) *graphError {
	if m.kind == "template" {
		if refusal := s.checkTemplate(m); refusal != nil {
			return refusal
		}
	}
	hash := s.account.get().IdentityHash
	switch {
	case m.to.waID != "" && m.to.waID == digitsOf(s.displayNumber(phone)):
		return refuse(http.StatusBadRequest, 131021, "Sender and recipient phone number is the same.")
	case marketing && (m.kind != "template" || s.categoryOf(m) != "marketing"):
		return refuse(http.StatusBadRequest, 134100, "Only marketing messages are supported")
	case m.identityHash != "" && hash != "" && m.identityHash != hash:
		return refuse(http.StatusBadRequest, 137000, "The recipient's identity key hash does not match.")
	}
	return s.checkMedia(m)
}

// answer does what a fault says to the answer of a request, and otherwise what the request asks for.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, fault Fault, do func() (int, any, *graphError)) {
	status, body, refusal := fault.HTTP, any(nil), (*graphError)(nil)
	switch {
	case fault.Fail != nil:
		refusal = fault.Fail.graphError()
	case fault.HTTP == 0:
		status, body, refusal = do()
	}
	if !s.wait(r, time.Duration(fault.DelayAnswer)) || fault.LoseAnswer {
		panic(http.ErrAbortHandler) // the server cuts the connection, and logs nothing
	}
	switch {
	case refusal != nil:
		writeGraphError(w, refusal)
	case body == nil:
		http.Error(w, http.StatusText(status), status)
	default:
		writeJSON(w, status, body)
	}
}

// wait waits for as long as caller and simulator are there, and says whether they still are.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
	return false
}

func (f *FaultError) graphError() *graphError {
	e := refuse(http.StatusBadRequest, f.Code, "%s", f.Details)
	if f.HTTP != 0 {
		e.http = f.HTTP
	}
	if f.Title != "" { // taken from a message of WhatsApp, it has the code in front already
		e.title = strings.TrimPrefix(f.Title, fmt.Sprintf("(#%d) ", f.Code))
	}
	return e
}

type sendAnswer struct {
	MessagingProduct string           `json:"messaging_product"`
	Contacts         []sendContact    `json:"contacts"`
	Messages         []map[string]any `json:"messages"`
}

type sendContact struct {
	Input  string `json:"input"`
	WaID   string `json:"wa_id,omitempty"`
	UserID string `json:"user_id,omitempty"`
}

// accept counts a message that is right, remembers it and starts its statuses.
func (s *Server) accept(phone string, m message, fault Fault) (int, any, *graphError) {
	now := s.options.Now()
	category := "service"
	if m.kind == "template" {
		category = s.categoryOf(m)
	}
	var failure *graphError
	if m.kind != "template" && m.kind != "pin" && !s.limits.open(now, phone, m.to.user()) {
		failure = refuse(http.StatusBadRequest, 131047,
			"Message failed to send because more than 24 hours have passed since the customer last replied to "+
				"this number.")
		if s.options.RefuseOutsideWindow {
			return 0, nil, failure
		}
	}
	if refusal := s.limits.take(now, phone, m.to.user(), s.perSecond()); refusal != nil {
		return 0, nil, refusal
	}
	if failure == nil {
		failure = s.laterFailure(phone, m, category)
	}
	if fault.FailStatus != nil {
		failure = fault.FailStatus.graphError()
	}
	o := outcome{
		id: newMessageID(toCustomer, m.to.key()), phone: phone, message: m, category: category, failure: failure}
	if fault.Statuses != nil {
		o.fault = *fault.Statuses
	}
	taken := AcceptedMessage{
		ID: o.id, PhoneNumberID: phone, To: m.to.key(), Type: m.kind, Body: m.raw, CallbackData: m.callbackData,
		ReceivedAt: now.UTC(),
	}
	s.accepted.add(taken)
	s.payments.note(taken)
	s.known.message(o.id)
	s.count(o, now)
	s.deliver(o)
	answered := map[string]any{"id": o.id}
	if m.kind == "template" {
		answered["message_status"] = "accepted"
		if category == "marketing" && s.account.get().HoldMarketing {
			answered["message_status"] = "held_for_quality_assessment"
		}
	}
	contact := sendContact{Input: m.to.input, WaID: knownAs(m.to.waID) + m.to.group, UserID: m.to.userID}
	return http.StatusOK,
		sendAnswer{MessagingProduct: "whatsapp", Contacts: []sendContact{contact},
			Messages: []map[string]any{answered}}, nil
}

func (s *Server) categoryOf(m message) string {
	return cmp.Or(strings.ToLower(s.templateOf(m).Category), "utility")
}

// statusOf is the status of a template.
func (s *Server) statusOf(t template) string {
	return cmp.Or(s.account.get().TemplateStatus[t.Name], t.status, "APPROVED")
}

// perSecond is how many messages a number may send a second.
func (s *Server) perSecond() float64 {
	if s.account.get().Throughput == "HIGH" {
		return raisedPerSecond
	}
	return phonePerSecond
}
