package communityapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// uploadFile is the operation by which files come.
const uploadFile = "upload-chat-file"

func (o *service) files() {
	const path = "/chats/{kind}/{chatId}"
	change(o, creates(op(http.MethodPost, path+"/files", uploadFile, messagesTag,
		"Get a link to put a file under that you want to send in a chat",
		"Put the file there once, with PUT and the headers of the answer, within five minutes; if the answer is lost, "+
			"412 says that it is there. Then name it in a message of this chat within a day: else it goes. Pictures "+
			"have up to 10 MB, sound 16 MB, videos 64 MB, other files 25 MB.", missing, conflict,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)), o.uploadFile)
	read(o, op(http.MethodGet, path+"/messages/{messageId}/files/{fileId}", "get-chat-file", messagesTag,
		"Get a link to a file of a message", "For members of the chat. Anybody who has the link can read the file for "+
			"five minutes. A browser shows pictures, and downloads everything else.", missing), o.getFile)
}

// chatAttachment is a file that was uploaded for the chat, or a link to something elsewhere.
type chatAttachment struct {
	Kind   string `json:"kind" enum:"file,link" doc:"Whether it is a file here or a link to something elsewhere."`
	FileID string `json:"fileId,omitempty" doc:"The id of a file: get-chat-file gives the link to it."`
	URL    string `json:"url,omitempty" doc:"Where a link leads."`
	Name   string `json:"name,omitempty" doc:"What it is called."`
	Type   string `json:"type" doc:"Its media type."`
	Size   int64  `json:"size,omitempty" doc:"How many bytes a file has."`
}

func showAttachment(a communitymodel.Attachment) chatAttachment {
	kind := "link"
	if a.File != "" {
		kind = "file"
	}
	return chatAttachment{kind, string(a.File), a.URL, a.Name, a.Type, a.Size}
}

type newAttachment struct {
	FileID string `json:"fileId,omitempty" maxLength:"128" pattern:"^[^#]+$" doc:"A file that you have uploaded for this chat, and not sent yet. It needs nothing else."`
	URL    string `json:"url,omitempty" maxLength:"500" pattern:"^https://" doc:"Where a link leads, in place of a file."`
	Name   string `json:"name,omitempty" maxLength:"200" doc:"What is behind a link."`
	Type   string `json:"type,omitempty" maxLength:"100" pattern:"^[a-z]+/[A-Za-z0-9.+-]+$" example:"image/jpeg" doc:"The media type of what is behind a link."`
}

// attachments returns what a message is to have: of each file its id alone.
func attachments(all []newAttachment) (out []communitymodel.Attachment, err error) {
	for i, a := range all {
		file, link := a.FileID != "", a.URL != "" && a.Type != ""
		if file == (a.URL != "") || !file && !link || file && (a.Name != "" || a.Type != "") {
			return nil, httpapi.Invalid(fmt.Sprintf("body.attachments[%d]", i),
				"either a fileId alone, or a url with its type")
		}
		out = append(out, communitymodel.Attachment{
			File: model.Name(a.FileID), URL: a.URL, Name: a.Name, Type: a.Type})
	}
	return out, nil
}

type uploadFileInput struct {
	ChatInput
	operations.Keyed
	Body struct {
		Name string `json:"name,omitempty" maxLength:"255" example:"prices.pdf" doc:"What the file is called."`
		Type string `json:"type" minLength:"1" maxLength:"100" example:"application/pdf" doc:"Its media type, without parameters."`
		Size int64  `json:"size" minimum:"1" doc:"How many bytes it has."`
	}
}

type chatUpload struct {
	FileID    string            `json:"fileId" doc:"The id of the file from now on."`
	Name      string            `json:"name" doc:"What it is called now: without folders, and with 100 characters at most."`
	URL       string            `json:"url" doc:"Where to put the file. Anybody who has this address can."`
	Headers   map[string]string `json:"headers" doc:"The headers that the PUT request has to have. Tools set Content-Length themselves."`
	ExpiresAt string            `json:"expiresAt" doc:"Until when it can be put there."`
}

type chatUploadOutput struct{ Body chatUpload }

func (o *service) uploadFile(ctx context.Context, in *uploadFileInput, by communitymodel.User) (
	*chatUploadOutput, error) {
	request, err := in.Request(ctx, by.TenantID, uploadFile+" "+in.Kind+" "+in.ChatID, in.Body)
	if err != nil {
		return nil, err
	}
	f, link, err := o.Domain.Files.Begin(ctx, in.ref(), by,
		files.New{Name: in.Body.Name, Type: in.Body.Type, Size: in.Body.Size}, request)
	if err != nil {
		return nil, err
	}
	return &chatUploadOutput{chatUpload{
		FileID: string(f.ID), Name: f.Name, URL: link,
		Headers: map[string]string{
			"Content-Type": f.Type, "Content-Length": strconv.FormatInt(f.Size, 10), "If-None-Match": "*"},
		ExpiresAt: string(model.At(f.CreatedAt.Go().Add(files.PutLasts))),
	}}, nil
}

type getFileInput struct {
	ChatMessageInput
	FileID string `path:"fileId" maxLength:"128" doc:"The file's id."`
}

type chatFile struct {
	FileID    string `json:"fileId" doc:"The file's id."`
	Name      string `json:"name" doc:"What it is called."`
	Type      string `json:"type" doc:"Its media type."`
	Size      int64  `json:"size" doc:"How many bytes it has."`
	URL       string `json:"url" doc:"Where it can be read. Anybody who has this address can."`
	ExpiresAt string `json:"expiresAt" doc:"Until when."`
}

type chatFileOutput struct{ Body chatFile }

func (o *service) getFile(ctx context.Context, in *getFileInput, by communitymodel.User) (*chatFileOutput, error) {
	a, err := o.Domain.Messages.Attachment(ctx, in.ref(), by, in.id(), model.Name(in.FileID))
	if err != nil {
		return nil, err
	}
	link, err := o.Domain.Files.Link(ctx, by.TenantID, in.ref(), a)
	return &chatFileOutput{chatFile{
		FileID: string(a.File), Name: a.Name, Type: a.Type, Size: a.Size, URL: link,
		ExpiresAt: string(model.At(o.Now().Add(files.ReadLasts))),
	}}, err
}
