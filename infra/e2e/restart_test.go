package e2e

import (
	"net/http"
	"testing"
)

// A person who ends the cloud and starts it again goes on where they were: WhatsApp would still let the answer through.
func TestAnAnswerAfterARestartReachesTheCustomer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, dir)
	r.simulate(t, "/say", `{"from":"919876500001","text":"2 kg rice"}`)
	var list inbox
	r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 })
	r.Stop()

	r = start(t, dir)
	const path = "/v1/conversations/106540352242922:919876500001/messages"
	r.want(t, http.StatusAccepted, http.MethodPost, path+"/text", `{"body":"Ready in ten minutes."}`)
	var page timeline
	r.get(t, path, &page, func() bool {
		delivery := page.Messages[0].Delivery
		if delivery != nil && delivery.Status == "failed" {
			t.Fatalf("%+v", page.Messages[0])
		}
		return delivery != nil && delivery.Status == "read"
	})
}
