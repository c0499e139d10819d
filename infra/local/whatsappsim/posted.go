package whatsappsim

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// postedBody is what the simulator reads of a webhook body that it has not made. What has another form is left out.
type postedBody struct {
	Entry []struct {
		Changes []struct {
			Value postedValue `json:"value"`
		} `json:"changes"`
	} `json:"entry"`
}

type postedValue struct {
	Metadata webhookMetadata   `json:"metadata"`
	Contacts []json.RawMessage `json:"contacts"`
	Messages []json.RawMessage `json:"messages"`
}

type postedMessage struct {
	From       string `json:"from"`
	FromUserID string `json:"from_user_id"`
	GroupID    string `json:"group_id"`
	Type       string `json:"type"`
	Timestamp  string `json:"timestamp"`
}

// Posted learns of the customers of a webhook body that somebody else has posted to the webhook, as Told does.
// signature is the header X-Hub-Signature-256. A body with another signature teaches nothing.
func (s *Server) Posted(body []byte, signature string) {
	mac := hmac.New(sha256.New, []byte(s.options.AppSecret))
	mac.Write(body)
	given, err := hex.DecodeString(strings.TrimPrefix(signature, "sha256="))
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		return
	}
	s.Told(body)
}

// Told learns of the customers of a webhook body that the business has got from somebody else: the business may answer
// who has written.
func (s *Server) Told(body []byte) {
	var posted postedBody
	_ = json.Unmarshal(body, &posted) // the webhook judges the body
	for _, entry := range posted.Entry {
		for _, change := range entry.Changes {
			s.learn(change.Value)
		}
	}
}

func (s *Server) learn(value postedValue) {
	for _, raw := range value.Contacts {
		var contact webhookContact
		if json.Unmarshal(raw, &contact) == nil {
			s.customers.remember(customer{
				waID: contact.WaID, userID: contact.UserID, name: contact.Profile.Name,
				username: contact.Profile.Username})
		}
	}
	now := s.options.Now()
	for _, raw := range value.Messages {
		var m postedMessage
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		switch m.Type {
		case "system", "edit", "revoke", "reaction":
			continue // these open no window
		}
		at := now
		if seconds, err := strconv.ParseInt(m.Timestamp, 10, 64); err == nil && seconds < now.Unix() {
			at = time.Unix(seconds, 0)
		}
		s.limits.heard(at, value.Metadata.PhoneNumberID, m.From, m.FromUserID, m.GroupID)
	}
}
