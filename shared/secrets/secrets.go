// Package secrets owns where secrets come from: a value in the environment on a laptop, a secretsmanager: reference in
// AWS, fetched at first use and kept for five minutes, so that a rotated secret is picked up without a deployment.
package secrets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	refresh = 5 * time.Minute
	// retryAfter is how long a failed refresh is not repeated while an older value serves.
	retryAfter = 10 * time.Second
	// refreshTimeout is how long a refresh may take while an older value serves.
	refreshTimeout = time.Second
	prefix         = "secretsmanager:"
)

// errEmpty is returned for a secret that holds no text: nothing can be verified or signed with it.
var errEmpty = errors.New("it holds no text")

// Secret is a value, or a reference to one.
type Secret struct {
	text  string
	fetch func(ctx context.Context, id string) (string, error)
	now   func() time.Time

	mu    sync.Mutex
	value string
	until time.Time
}

// New makes a secret of what a variable or an item holds: secretsmanager:{name or ARN}, env:{variable}, or the value
// itself. Of a secret that holds several values in a JSON object, secretsmanager:{name or ARN}#{member} is one. Blanks and line breaks around a value are no part of it: they come from pasting.
func New(text string, getenv func(string) string) *Secret {
	text = strings.TrimSpace(text)
	if variable, isVariable := strings.CutPrefix(text, "env:"); isVariable {
		text = getenv(variable)
	}
	return &Secret{text: strings.TrimSpace(text), fetch: manager{getenv}.fetch, now: time.Now}
}

// Get is the secret's value. It returns an error that names the reference, never a value, and only when there is no
// earlier value to serve.
func (s *Secret) Get(ctx context.Context) (string, error) {
	id, isReference := strings.CutPrefix(s.text, prefix)
	if !isReference {
		return s.text, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now().Before(s.until) {
		return s.value, nil
	}
	if s.value != "" {
		soon, cancel := context.WithTimeout(ctx, refreshTimeout)
		defer cancel()
		ctx = soon
	}
	id, member, ofSeveral := strings.Cut(id, "#")
	value, err := s.fetch(ctx, id)
	if ofSeveral && err == nil {
		value, id = memberOf(value, member), id+"#"+member
	}
	value = strings.TrimSpace(value)
	if err == nil && value == "" {
		err = errEmpty
	}
	if err != nil {
		if s.value != "" {
			s.until = s.now().Add(retryAfter)
			return s.value, nil
		}
		return "", fmt.Errorf("secret %s: %w", id, err)
	}
	s.value, s.until = value, s.now().Add(refresh)
	return value, nil
}

// memberOf is the text of a member of a JSON object, "" where there is none.
func memberOf(object, name string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal([]byte(object), &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return text
}
