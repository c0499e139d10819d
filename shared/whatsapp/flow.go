package whatsapp

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
)

// PutFlow hands Meta the JSON of a flow, and returns what Meta answers: also what it finds wrong with it. Every error
// is a *SendError. A repetition does no harm.
func (g *Graph) PutFlow(ctx context.Context, id string, text []byte) (Object, error) {
	if !isPhoneNumberID(id) { // ids of all objects have the same form
		return nil, notAnID("flow")
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("name", "flow.json")
	_ = form.WriteField("asset_type", "FLOW_JSON")
	file, _ := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="flow.json"`}, "Content-Type": {"application/json"},
	})
	_, _ = file.Write(text)
	_ = form.Close() // a buffer takes everything
	status, answer, err := g.exchangeAs(ctx, http.MethodPost, url.PathEscape(id)+"/assets",
		form.FormDataContentType(), body.Bytes())
	if err != nil {
		return nil, err
	}
	o := asObject(answer)
	if status < http.StatusMultipleChoices && o != nil && o.Object("error") == nil {
		return o, nil
	}
	return nil, refusalOf(status, answer)
}
