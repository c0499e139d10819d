package awsclient_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	number = "phone-number-id-976c72a700aac43eaf573ae050example"
	phone  = "106540352242922"
)

// files returns the files of numbers at a stand-in of AWS, and a bucket.
func files(t *testing.T, server *eumtest.Server) *awsclient.Files {
	t.Helper()
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	env := map[string]string{
		"AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_SOCIALMESSAGING": at.URL}
	all := awsclient.Open(func(name string) string { return env[name] }, &http.Client{},
		func(context.Context, model.PhoneNumberID) (string, error) { return number, nil }, time.Now)
	return &awsclient.Files{Numbers: all, Bucket: objectstest.Bucket(time.Now)}
}

func TestAFileComesByTheBucket(t *testing.T) {
	f := files(t, &eumtest.Server{Files: map[string]eumtest.File{"media-1": {Type: "image/png", Content: "a picture"}}})
	held, err := f.File(t.Context(), number, phone, "media-1")
	if err != nil || held.MimeType != "image/png" || held.Size != int64(len("a picture")) ||
		!strings.HasPrefix(held.URL, "incoming/") {
		t.Fatalf("%+v, %v", held, err)
	}
	for range 2 { // what is repeated does no harm
		var got bytes.Buffer
		if err := f.Download(t.Context(), held.URL, &got); err != nil || got.String() != "a picture" {
			t.Errorf("%q, %v", got.String(), err)
		}
	}
}

func TestAFileThatMetaDoesNotHoldIsRefusedWithoutAWait(t *testing.T) {
	_, err := files(t, &eumtest.Server{}).File(t.Context(), number, phone, "media-2")
	var refused *whatsapp.SendError
	if !errors.As(err, &refused) || refused.Ambiguous || refused.HTTP != http.StatusNotFound {
		t.Errorf("%v", err)
	}
}

func TestAFileGoesByTheBucket(t *testing.T) {
	f := files(t, &eumtest.Server{})
	of := whatsapp.Upload{
		PhoneNumberID: phone, ContentType: "application/pdf", Body: strings.NewReader("a paper"), Size: 7}
	if id, err := f.Upload(t.Context(), number, of); err != nil || id != "application/pdf a paper" {
		t.Errorf("%q, %v", id, err)
	}
}
