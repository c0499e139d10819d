package doctor

import "strings"

// private removes the secrets that the doctor has read from texts of other services, because a service may quote what
// it refuses. The doctor's own texts contain no secrets and are not filtered.
type private struct{ secrets []string }

// shortest is how many characters of a secret in a row are treated as a part of it. Shorter sequences occur in any
// text.
const shortest = 8

func (p *private) add(secret string) {
	if secret = strings.TrimSpace(secret); secret != "" {
		p.secrets = append(p.secrets, secret)
	}
}

// cleaned returns another service's text as one line of at most 300 bytes, without secrets or parts of them.
func (p *private) cleaned(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var b strings.Builder
	for at := 0; at < len(text); {
		if length := p.held(text[at:]); length > 0 {
			b.WriteString("***")
			at += length
			continue
		}
		b.WriteByte(text[at])
		at++
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), 300)], "")
}

// held returns how many bytes at the beginning of a text are a secret or a part of one.
func (p *private) held(text string) int {
	longest := 0
	for _, secret := range p.secrets {
		if len(secret) < shortest && strings.HasPrefix(text, secret) {
			longest = max(longest, len(secret))
		}
		for from := 0; from+shortest <= len(secret); from++ {
			length := 0
			for length < len(text) && from+length < len(secret) && text[length] == secret[from+length] {
				length++
			}
			if length >= shortest {
				longest = max(longest, length)
			}
		}
	}
	return longest
}
