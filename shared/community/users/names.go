package users

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// usernames are the forms of usernames.
var usernames = lazy.Regexp(`^[a-z0-9][a-z0-9_.]{2,29}$`)

// ParseUsername returns a username in its one form, with small letters. It returns ErrField for any other text.
// Letters of other scripts are refused, because some look like those of another name.
func ParseUsername(text string) (string, error) {
	for _, r := range text {
		if r > '~' {
			return "", wrong("body.username", "it has a letter by which it could look like another username: "+
				"only a to z, 0 to 9, dots and underscores are taken")
		}
	}
	text = strings.ToLower(text)
	if !usernames.Get().MatchString(text) {
		return "", wrong("body.username", "3 to 30 of the characters a to z, 0 to 9, dot and underscore, "+
			"with a letter or a digit first")
	}
	return text, nil
}

// Skeleton returns what is the same for usernames that look alike: with or without dots and underscores, and with
// characters for which others may be taken.
func Skeleton(username string) model.Name {
	plain := strings.NewReplacer(".", "", "_", "").Replace(username)
	return model.Name(strings.NewReplacer("0", "o", "1", "l", "rn", "m", "vv", "w").Replace(plain))
}
