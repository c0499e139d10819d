// Package templates owns what people of communities are sent over WhatsApp. None of it repeats what somebody has typed
// in, or has said in a chat.
package templates

import (
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// The names of the templates.
const (
	Code    = "community_code"            // holds a code
	Known   = "community_account_known"   // to whom a number is that has an account already
	Unknown = "community_account_unknown" // to whom a number is that has no account
	Digest  = "community_digest"          // says how much somebody has not read
)

// ForCodes are those that a number is sent which somebody gives to get a code. Which one it is, its owner alone learns:
// what is read of them is read of all.
var ForCodes = []string{Code, Known, Unknown}

var languages = []string{"en", "hi", "es"}

// All are the templates of the domain.
var All = []whatsapp.OwnTemplate{
	{Name: Code, Languages: languages, Body: 1, Code: true},
	{Name: Known, Languages: languages},
	{Name: Unknown, Languages: languages},
	{Name: Digest, Languages: languages, Body: 1},
}

// ForCode returns a message of ForCodes. Only the one that holds a code has it.
func ForCode(name, language, code string) content.Template {
	t := content.Template{Name: name, Language: language}
	if name == Code {
		t.Category = "authentication"
		t.Body = []content.TemplateParameter{{Text: code}}
		t.Buttons = []content.TemplateButton{{Type: "otp", Value: code}}
	}
	return t
}

// ForDigest returns the message of a digest with what it counts.
func ForDigest(language, counts string) content.Template {
	return content.Template{Name: Digest, Language: language, Body: []content.TemplateParameter{{Text: counts}}}
}
