package whatsappsim

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

// graphError is an error as the Graph API answers it. details is for people; a client decides by code.
type graphError struct {
	http    int
	code    int
	title   string // WhatsApp's name of the code, without the (#code) in front
	details string
	subcode int
	kind    string // OAuthException where it is left out
}

// titleOf names the codes that the simulator or a fault can answer, as WhatsApp's list of error codes does.
func titleOf(code int) string {
	titles := map[int]string{
		1:      "API Unknown",
		2:      "API Service",
		4:      "API Too Many Calls",
		10:     "Permission Denied",
		15:     "This method must be called with an app access_token.",
		33:     "Parameter value is not valid",
		100:    "Invalid parameter",
		190:    "Invalid OAuth access token - Cannot parse access token",
		368:    "Temporarily blocked for policies violations",
		80007:  "Rate limit issues",
		130429: "Rate limit hit",
		130472: "User's number is part of an experiment",
		131000: "Something went wrong",
		131008: "Required parameter is missing",
		131009: "Parameter value is not valid",
		131016: "Service unavailable",
		131021: "Recipient cannot be sender",
		131026: "Message undeliverable",
		131031: "Business Account locked",
		131041: "Group unknown",
		131042: "Business eligibility payment issue",
		131047: "Re-engagement message",
		131048: "Spam rate limit hit",
		131049: "This message was not delivered to maintain healthy ecosystem engagement",
		131050: "User has stopped receipt of marketing messages",
		131051: "Unsupported message type",
		131052: "Media download error",
		131053: "Media upload error",
		131056: "(Business Account, Consumer Account) pair rate limit hit",
		131057: "Account in maintenance mode",
		131062: "Business-scoped User ID recipients are not supported for this message",
		131202: "Duplicate participant",
		131204: "Participant overlimit",
		131207: "Group suspended",
		131208: "Group rate limit hit",
		131211: "Group create limit reached",
		131212: "Participant is not a part of the group",
		132000: "Number of parameters does not match the expected number of params",
		132001: "Template name does not exist in the translation",
		132005: "Translated text too long",
		132007: "Template format character policy violated",
		132012: "Parameter format does not match format in the created template",
		132015: "Template is paused",
		132016: "Template is disabled",
		133005: "Two step verification PIN Mismatch",
		133006: "Phone number re-verification needed",
		133010: "Phone number not registered",
		133016: "Account register deregister rate limit exceeded",
		134100: "Only marketing messages are supported",
		136024: "Request code error",
		136025: "Verify code error",
		139101: "Blocklist limit reached",
		137000: "Recipient identity key mismatch",
	}
	if title := titles[code]; title != "" {
		return title
	}
	return "Something went wrong"
}

func refuse(status, code int, format string, args ...any) *graphError {
	return &graphError{http: status, code: code, title: titleOf(code), details: fmt.Sprintf(format, args...)}
}

// invalidParameter is code 100 as the Graph API's own argument check words it: all of it in the message, no details.
func invalidParameter(format string, args ...any) *graphError {
	return &graphError{http: http.StatusBadRequest, code: 100, title: fmt.Sprintf(format, args...)}
}

func unknownPath(r *http.Request) *graphError {
	return &graphError{http: http.StatusBadRequest, code: 2500, title: "Unknown path components: " + r.URL.Path}
}

func badToken() *graphError { return refuse(http.StatusUnauthorized, 190, "") }

// badAppToken is the answer to an app's token with another app's secret, or with none.
func badAppToken() *graphError {
	return &graphError{http: http.StatusBadRequest, code: 190, title: "Invalid OAuth access token signature."}
}

func expiredToken() *graphError {
	return &graphError{
		http: http.StatusUnauthorized, code: 190, subcode: 463,
		title: "Error validating access token: Session has expired."}
}

// notThere is the answer for an object that is not there and for one that the token's bearer may not see.
func notThere(id string) *graphError {
	return &graphError{
		http: http.StatusBadRequest, code: 100, subcode: 33, kind: "GraphMethodException",
		title: "Unsupported request. Object with ID '" + id +
			"' does not exist, cannot be loaded due to missing permissions, or does not support this operation.",
	}
}

type errorData struct {
	MessagingProduct string `json:"messaging_product"`
	Details          string `json:"details"`
}

type errorBody struct {
	Message string     `json:"message"`
	Type    string     `json:"type"`
	Code    int        `json:"code"`
	Subcode int        `json:"error_subcode,omitempty"`
	Data    *errorData `json:"error_data,omitempty"`
	Trace   string     `json:"fbtrace_id"`
}

func writeGraphError(w http.ResponseWriter, e *graphError) {
	body := errorBody{
		Message: fmt.Sprintf("(#%d) %s", e.code, e.title), Type: "OAuthException",
		Code: e.code, Subcode: e.subcode, Trace: newTrace(),
	}
	if e.code == 190 || e.subcode == 33 {
		body.Message = e.title
	}
	if e.kind != "" {
		body.Type = e.kind
	}
	if e.details != "" {
		body.Data = &errorData{MessagingProduct: "whatsapp", Details: e.details}
	}
	writeJSON(w, e.http, map[string]errorBody{"error": body})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // the client may have gone; there is nobody to tell
}

func newTrace() string {
	var raw [17]byte
	_, _ = rand.Read(raw[:]) // documented never to fail
	return "A" + base64.RawURLEncoding.EncodeToString(raw[:])
}
