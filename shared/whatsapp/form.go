package whatsapp

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
)

// formFile is a file in a form that is posted.
type formFile struct {
	name, contentType string
	content           []byte
}

// postForm posts a form with a file, and returns what Meta answers. Every error is a *SendError.
func (g *Graph) postForm(ctx context.Context, path string, fields [][2]string, file formFile) (Object, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range fields {
		_ = form.WriteField(field[0], field[1])
	}
	part, _ := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="` + file.name + `"`},
		"Content-Type":        {file.contentType}})
	_, _ = part.Write(file.content)
	_ = form.Close() // a buffer takes everything
	status, answer, err := g.exchangeAs(ctx, http.MethodPost, path, form.FormDataContentType(), body.Bytes())
	if err != nil {
		return nil, err
	}
	o := asObject(answer)
	if status < http.StatusMultipleChoices && o != nil && o.Object("error") == nil {
		return o, nil
	}
	return nil, refusalOf(status, answer)
}

// PutFlow hands Meta the JSON of a flow, and returns what Meta answers: also what it finds wrong with it. Every error
// is a *SendError. A repetition does no harm.
func (g *Graph) PutFlow(ctx context.Context, id string, text []byte) (Object, error) {
	if !isPhoneNumberID(id) { // ids of all objects have the same form
		return nil, notAnID("flow")
	}
	return g.postForm(ctx, url.PathEscape(id)+"/assets",
		[][2]string{{"name", "flow.json"}, {"asset_type", "FLOW_JSON"}},
		formFile{"flow.json", "application/json", text})
}

// PutGroupPicture gives a group a picture, a JPEG, and returns what Meta answers. Every error is a *SendError. A
// repetition does no harm.
func (g *Graph) PutGroupPicture(ctx context.Context, id string, picture []byte) (Object, error) {
	if id == "" || strings.Trim(id, ".") == "" { // such a path leads elsewhere
		return nil, notAnID("group")
	}
	return g.postForm(ctx, url.PathEscape(id), [][2]string{{"messaging_product", "whatsapp"}},
		formFile{"picture.jpg", "image/jpeg", picture})
}
