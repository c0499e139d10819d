package catalogues

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

// batchState is how far Meta is with a batch of changes.
type batchState int

const (
	batchUnderWay batchState = iota
	batchDone                // each change is carried out, or refused
	batchLost                // nothing is carried out
)

// The problems that are stored of a batch, and of a product if Meta gives no reason for refusing it.
const (
	problemBatch   = "Meta has not carried out a batch"
	problemRefused = "Meta has refused it, and does not say why."
)

// postBatch has Meta carry out changes of products, and returns what names the batch. Meta takes the same changes
// twice.
func (r *request) postBatch(ctx context.Context, id model.Name, changes []map[string]any) (handle string, err error) {
	answer, err := r.meta.AboutNode(ctx, r.phone, string(id), whatsapp.NumberCall{
		Method: http.MethodPost, Edge: "items_batch", Body: map[string]any{
			"item_type": "PRODUCT_ITEM", "allow_upsert": true, "requests": changes}})
	if err != nil {
		return "", err
	}
	for _, one := range answer.List("handles").Texts() {
		handle = one
	}
	if handle == "" {
		return "", batchFailed()
	}
	return handle, nil
}

// lookAtBatch returns how far a batch is, and why Meta has refused products.
func (r *request) lookAtBatch(ctx context.Context, id model.Name, handle string) (state batchState,
	refused map[model.Name]string, err error) {
	answer, err := r.meta.AboutNode(ctx, r.phone, string(id), whatsapp.NumberCall{
		Edge: "check_batch_request_status",
		Query: url.Values{"handle": {handle}, "load_ids_of_invalid_requests": {"true"},
			"fields": {"handle,status,errors,errors_total_count,ids_of_invalid_requests"}}})
	if err != nil {
		return batchUnderWay, nil, err
	}
	var status whatsapp.Object
	if all := answer.List("data").Objects(); len(all) > 0 {
		status = all[0]
	}
	switch status.Text("status") {
	case "finished":
	case "error", "canceled", "":
		return batchLost, nil, nil
	default:
		return batchUnderWay, nil, nil
	}
	refused = map[model.Name]string{}
	for _, one := range status.List("ids_of_invalid_requests").Texts() {
		refused[model.Name(one)] = problemRefused
	}
	for _, e := range status.List("errors").Objects() {
		refused[model.Name(e.Text("id"))] = e.Text("message")
	}
	return batchDone, refused, nil
}

func batchFailed() error {
	return &outbox.Failure{Reason: problemBatch, Class: "batch", Attempts: 10, Wait: time.Minute}
}

// chatLink returns the link of the chat with a number.
func chatLink(number model.Phone) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number.DisplayPhoneNumber)
	return "https://wa.me/" + digits
}
