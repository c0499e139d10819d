// Package secrets resolves secrets: plain values from the environment on a laptop, and secretsmanager: references in
// AWS. References are fetched at first use and cached for five minutes, so that a rotated secret needs no deployment.
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
	// lifetime is longer than that of any process.
	lifetime = 30 * 24 * time.Hour
	// retryAfter is how long a failed refresh is not repeated, while an older value is used.
	retryAfter = 10 * time.Second
	// refreshTimeout bounds a refresh while an older value can be used.
	refreshTimeout = time.Second
	prefix         = "secretsmanager:"
)

// errEmpty means that a secret is empty, so that nothing can be verified or signed with it.
var errEmpty = errors.New("it holds no text")

// Secret is a secret value or a reference to one. It is safe for concurrent use.
type Secret struct {
	text  string
	fetch func(ctx context.Context, id string) (string, error)
	now   func() time.Time
	// lasting says that the value of the reference never changes.
	lasting bool

	mu    sync.Mutex
	value string
	until time.Time
}

// New returns the secret that text describes: secretsmanager:{name or ARN}, env:{variable}, or the value itself. If a
// secret holds a JSON object, secretsmanager:{name or ARN}#{member} is one of its members. Blanks and line breaks
// around a value are removed.
func New(text string, getenv func(string) string) *Secret {
	text = strings.TrimSpace(text)
	if variable, isVariable := strings.CutPrefix(text, "env:"); isVariable {
		text = getenv(variable)
	}
	return &Secret{text: strings.TrimSpace(text), fetch: manager{getenv}.fetch, now: time.Now}
}

// Each returns the secrets that a text describes, separated by commas.
func Each(text string, getenv func(string) string) (all []*Secret) {
	for one := range strings.SplitSeq(text, ",") {
		all = append(all, New(one, getenv))
	}
	return all
}

// Values returns what secrets hold. A value may hold several, separated by commas.
func Values(ctx context.Context, all []*Secret) (values []string, err error) {
	for _, secret := range all {
		value, err := secret.Get(ctx)
		if err != nil {
			return nil, err
		}
		for text := range strings.SplitSeq(value, ",") {
			if text = strings.TrimSpace(text); text != "" {
				values = append(values, text)
			}
		}
	}
	return values, nil
}

// Get returns the secret's value. It returns an error only if there is no older value to use. The error names the
// reference and never a value.
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
		value, id = MemberOf(value, member), id+"#"+member
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
	if s.lasting {
		s.until = s.now().Add(lifetime)
	}
	return value, nil
}

// MemberOf returns the text of a member of a JSON object, without blanks around it, or "".
func MemberOf(object, name string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal([]byte(object), &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return strings.TrimSpace(text)
}
