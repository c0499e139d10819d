package messaging_test

import (
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func imported(value wt.Object) wt.Object {
	value["metadata"] = wt.Object{"display_phone_number": wt.Display, "phone_number_id": wt.Phone}
	return wt.Change("history", value)
}

// The file of an imported message fills its placeholder, whichever comes first. It opens no window and is not unread.
func TestAFileFillsThePlaceholderOfAnImportedMessage(t *testing.T) {
	t.Parallel()
	thread := func(id string, from string) wt.Object {
		return imported(wt.Object{
			"history": wt.List{
				wt.Object{"threads": wt.List{
					wt.Object{"id": asha,
						"messages": wt.List{wt.Message(from, id, "media_placeholder", ago(90), nil)}}}}}})
	}
	file := func(id, from string) wt.Object {
		return imported(wt.Object{
			"messages": wt.List{
				wt.Message(from, id, "image", ago(90),
					wt.Object{"image": wt.Object{
						"id": "media-" + id, "mime_type": "image/jpeg", "caption": "the shelf"}})}})
	}
	w := newFixture(t)
	w.posts(thread("wamid.in", asha), thread("wamid.out", wt.Display), file("wamid.first", asha))
	w.posts(file("wamid.in", asha), file("wamid.out", wt.Display), thread("wamid.first", asha))
	w.posts(file("wamid.in", asha))
	for _, id := range []model.MessageID{"wamid.in", "wamid.out", "wamid.first"} {
		m := w.message(id)
		if m.Type != "image" || m.MediaID != model.MediaID("media-"+id) || m.Caption != "the shelf" ||
			m.Preview != "📷 the shelf" || m.WindowExpiresAt != "" {
			t.Errorf("%s: %+v", id, m)
		}
		var media model.Media
		if err := w.DB.Get(t.Context(), tables.Messages, keys.Media(m.MediaID), &media); err != nil ||
			media.ContentType != "image/jpeg" {
			t.Errorf("media of %s: %+v, %v", id, media, err)
		}
	}
	if c := w.conversation(asha); c.UnreadCount != 0 || c.WindowExpiresAt != "" || c.LastType != "image" ||
		len(w.timeline(asha)) != 3 {
		t.Errorf("conversation: %+v", c)
	}
}

func TestADeclinedHistoryShowsOnTheNumber(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo"})
	w.posts(imported(wt.Object{
		"history": wt.List{
			wt.Object{"errors": wt.List{wt.Object{"code": 2593109, "title": "History sharing is turned off"}}}}}))
	var phone model.Phone
	if err := w.DB.Get(t.Context(), tables.Messages, keys.Phone(wt.Phone), &phone); err != nil ||
		phone.HistoryProblem != "2593109 History sharing is turned off" {
		t.Errorf("%+v, %v", phone, err)
	}
}
