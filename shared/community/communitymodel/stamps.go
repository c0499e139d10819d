package communitymodel

import (
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Stamped returns an id that begins with an instant, in milliseconds. Keys of messages, notifications, requests and
// reports have the instant before the id, so that the id alone leads to the key.
func Stamped(at model.Time, id string) model.Name {
	return model.Name(strconv.FormatInt(at.Go().UnixMilli(), 36) + "-" + id)
}

// Stamp returns the instant in an id that Stamped has made. It returns dynamo.ErrNotFound for any other text.
func Stamp(id model.Name) (model.Time, error) {
	text, _, found := strings.Cut(string(id), "-")
	millis, err := strconv.ParseInt(text, 36, 64)
	if !found || err != nil || millis < 0 || millis > lastMilli {
		return "", dynamo.ErrNotFound
	}
	return model.At(time.UnixMilli(millis)), nil
}

// lastMilli is the last millisecond of the year 9999.
const lastMilli = 253402300799999

// After returns the instant to give to what happens now in a chat, or a millisecond after the newest one there: no two
// messages or changes of a chat have the same instant, and a later one has a later instant whatever the clocks say.
func After(newest model.Time, now time.Time) model.Time {
	if next := newest.Go().Add(time.Millisecond); newest != "" && next.After(now) {
		now = next
	}
	return model.At(now)
}

// GroupChatID returns the id of a new group chat of a community. It begins with the community's id, so that what is
// asked of both is read at once.
func GroupChatID(community model.Name, id string) model.Name { return community + "." + model.Name(id) }

// CommunityOf returns the community of a group chat; "" for an id that is none.
func CommunityOf(chat model.Name) model.Name {
	community, _, found := strings.Cut(string(chat), ".")
	if !found {
		return ""
	}
	return model.Name(community)
}
