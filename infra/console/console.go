// Package console has what AWS and the local cloud say of the console in the same words: what it reads at run time, and
// what a browser lets it do.
package console

import "strings"

// ConfigPath is where the page reads its configuration.
const ConfigPath = "/config.json"

// Config is what the page has to know, and what no build of it can know.
type Config struct {
	// Issuer is in the tokens, and SignIn where its pages are: those of Cognito's managed login. Without SignIn nobody
	// can sign in.
	Issuer string `json:"issuer,omitempty"`
	SignIn string `json:"signIn,omitempty"`
	Client string `json:"clientId,omitempty"`
	Scopes string `json:"scopes,omitempty"`
	// Live is the address of the live channel, if there is one.
	Live string `json:"live,omitempty"`
	// Pace is how often the page asks what has changed, in milliseconds; 0 for what AWS's prices suggest.
	Pace int `json:"pace,omitempty"`
}

// Policy returns the content security policy of the page. Scripts and styles are its own. It shows files of one
// address, puts files there, and calls its own address and the given ones.
func Policy(files string, calls ...string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: " + files +
		"; media-src " + files + "; connect-src " + strings.Join(append([]string{"'self'", files}, calls...), " ") +
		"; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Headers are the other headers that keep the page to itself.
var Headers = map[string]string{
	"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
}

// How long a browser may keep files: those whose names change with what they hold, and all others.
const (
	KeepAssets = "public, max-age=31536000, immutable"
	KeepOthers = "no-cache"
)

// AssetsPath is where the files are whose names change with what they hold.
const AssetsPath = "/assets/"
