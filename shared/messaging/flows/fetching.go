package flows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

// The problems of JSON that could not be fetched.
const (
	problemNoJSON  = "Meta has no JSON of the flow."
	problemLarge   = "The JSON that Meta has is larger than 10 MB."
	problemNotJSON = "What Meta has is no JSON."
)

// fetch asks Meta for the JSON of a flow, and keeps it. It may be repeated: an attempt that dies has put the file where
// the next one puts it.
func (r *request) fetch(ctx context.Context) error {
	answer, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(r.of.FlowID),
		whatsapp.NumberCall{Edge: "assets"})
	if err != nil {
		return r.orGone(ctx, err)
	}
	assets := answer.List("data").Objects()
	at := slices.IndexFunc(assets, func(o whatsapp.Object) bool {
		return o.Text("asset_type") == "FLOW_JSON" && o.Text("download_url") != ""
	})
	if at < 0 {
		return r.answer(ctx, problemNoJSON)
	}
	text, problem, err := r.download(ctx, assets[at].Text("download_url"))
	if err != nil {
		return err
	}
	if problem != "" {
		return r.answer(ctx, problem)
	}
	sum := sha256.Sum256(text)
	got := &model.FlowJSON{
		Key: Kept + strings.Join([]string{string(r.of.WABAID), string(r.of.FlowID), string(r.of.AskedAt),
			"fetched.json"}, "/"),
		Sum: hex.EncodeToString(sum[:]), Size: int64(len(text)), FetchedAt: r.of.AskedAt}
	if err := r.files.Put(ctx, objects.Object{
		Key: got.Key, ContentType: "application/json", Body: bytes.NewReader(text), Size: got.Size, SHA256: sum,
	}); err != nil {
		return err
	}
	if err := r.settle(ctx, "", func(f *model.Flow) { f.JSON = got }); err != nil {
		return err
	}
	return r.unlessUsed(ctx, got.Key)
}

// unlessUsed deletes a file unless the flow leads to it: the answer was not waited for any more.
func (r *request) unlessUsed(ctx context.Context, key string) error {
	f, err := r.Get(ctx, r.of.FlowID)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) || err == nil && f.JSON != nil && f.JSON.Key == key {
		return err
	}
	return r.files.Delete(ctx, key)
}

// download reads the JSON behind a link of Meta's, and says what stands in the way of keeping it. A link ends soon, so
// the next attempt asks for another one.
func (r *request) download(ctx context.Context, link string) (text []byte, problem string, err error) {
	var got limited
	err = r.meta.Download(ctx, string(r.of.PhoneNumberID), link, &got)
	var refused *whatsapp.SendError
	switch {
	case errors.Is(err, errLarge) || errors.Is(err, whatsapp.ErrTooLarge):
		return nil, problemLarge, nil
	case errors.Is(err, whatsapp.ErrForeignHost):
		return nil, "", &whatsapp.SendError{Class: whatsapp.Never, Meta: whatsapp.Error{Message: err.Error()}}
	case errors.As(err, &refused):
		return nil, "", refused
	case err != nil:
		return nil, "", &whatsapp.SendError{
			Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: err.Error()}}
	case !json.Valid(got.text):
		return nil, problemNotJSON, nil
	}
	return got.text, "", nil
}

// errLarge means that a file is larger than the JSON of a flow may be.
var errLarge = errors.New("larger than the JSON of a flow may be")

// limited holds as much as the JSON of a flow may be. It embeds no buffer: who copies to one goes around Write.
type limited struct{ text []byte }

func (l *limited) Write(p []byte) (int, error) {
	if len(l.text)+len(p) > flowcheck.MaxBytes {
		return 0, errLarge
	}
	l.text = append(l.text, p...)
	return len(p), nil
}
