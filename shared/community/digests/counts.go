package digests

import (
	"context"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/model"
)

// most is how many notifications a digest counts. Who has not read more is told that there are more.
const most = 300

// counts is how much somebody has not read.
type counts struct {
	messages, chats, requests, others int
	more                              bool
	newest                            model.Time // "" if there is nothing
}

// unread counts what a person has not read since the last digest.
func (d *Digests) unread(ctx context.Context, is communitymodel.Digest) (c counts, err error) {
	all, more, err := d.Notifications.Unread(ctx, is.UserID, is.ToldUntil, most)
	if err != nil || len(all) == 0 {
		return c, err
	}
	c.more, c.newest = more, all[0].CreatedAt
	chats := map[model.Name]bool{}
	for _, n := range all {
		switch n.NotificationType {
		case communitymodel.NoticeMessage, communitymodel.NoticeMention, communitymodel.NoticeReply:
			c.messages++
			chats[n.Target.Chat] = true
		case communitymodel.NoticeRequest:
			c.requests++
		default:
			c.others++
		}
	}
	c.chats = len(chats)
	return c, nil
}

// labels name what is counted, so that they fit every number: notices of messages, chats, requests, others, and more.
var labels = map[string][5]string{
	"en": {"notices of messages", "in chats", "requests to join", "other notices", "and more"},
	"hi": {"संदेशों की सूचनाएँ", "चैट", "जुड़ने के अनुरोध", "अन्य सूचनाएँ", "और भी"},
	"es": {"avisos de mensajes", "en chats", "solicitudes", "otros avisos", "y más"},
}

// in returns what was counted, in a language; in English for one that there is none of. It names no chat, and repeats
// nothing that anybody said.
func (c counts) in(language string) string {
	label, known := labels[language]
	if !known {
		label = labels["en"]
	}
	var parts []string
	for i, n := range []int{c.messages, c.chats, c.requests, c.others} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", label[i], n))
		}
	}
	if c.more {
		parts = append(parts, label[4])
	}
	return strings.Join(parts, ", ")
}

// letters are the emails of a digest: the subject, and the text around the counts.
var letters = map[string][2]string{
	"en": {"What you have not read", "You have asked to be told once a day what you have not read in your " +
		"communities. It is:\n\n{counts}\n\nOpen them to read it. You can turn the digest off there."},
	"hi": {"आपने क्या नहीं पढ़ा", "आपने कहा था कि दिन में एक बार बताया जाए कि " +
		"आपकी कम्युनिटी में क्या अनपढ़ा है। अभी:\n\n{counts}\n\n" +
		"पढ़ने के लिए उन्हें खोलें। यह सूचना आप वहीं बंद कर सकते हैं।"},
	"es": {"Lo que no has leído", "Has pedido que te digamos una vez al día lo que no has leído en tus " +
		"comunidades. Es:\n\n{counts}\n\nÁbrelas para leerlo. Ahí puedes desactivar este resumen."},
}

// letter returns the email of a digest.
func (c counts) letter(language string) (subject, text string) {
	of, known := letters[language]
	if !known {
		language, of = "en", letters["en"]
	}
	return of[0], strings.ReplaceAll(of[1], "{counts}", c.in(language))
}
