package content

import (
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/whatsapp"
)

// CheckOwn returns all that is wrong with a message that sends one of the system's own templates; nothing for any other
// template.
func CheckOwn(templates []whatsapp.OwnTemplate, t Template) (found Faults) {
	at := slices.IndexFunc(templates, func(own whatsapp.OwnTemplate) bool { return own.Name == t.Name })
	if at < 0 {
		return nil
	}
	own := templates[at]
	found.unless(slices.Contains(own.Languages, t.Language), "language",
		"this template is written in "+strings.Join(own.Languages, " and "))
	switch {
	case own.Document:
		found.unless(t.Header != nil && t.Header.Type == "document", "header",
			"this template has a document as its header")
	case own.Image:
		found.unless(t.Header != nil && t.Header.Type == "image", "header", "this template has a picture as its header")
	default:
		found.unless(t.Header == nil, "header", "this template has no header to fill in")
	}
	found.unless(len(t.Body) == own.Body, "body",
		fmt.Sprintf("the number of this template's variables is %d", own.Body))
	buttons := own.Replies
	if own.Code {
		buttons = 1
	}
	for _, button := range t.Buttons {
		found.unless(button.Index >= 0 && button.Index < buttons, "buttons",
			fmt.Sprintf("the number of this template's buttons is %d", buttons))
	}
	return found
}
