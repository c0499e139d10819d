package cloud

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/sms/texted"
)

// TextsPath takes texts that people send, as AWS End User Messaging tells of them.
const TextsPath = "/_local/texts"

// serveText takes a text, and has the functions get the notice of it.
func (c *Cloud) serveText(w http.ResponseWriter, r *http.Request) {
	notice, err := io.ReadAll(io.LimitReader(r.Body, maxPosted))
	if err == nil {
		_, err = texted.Read(notice)
	}
	if err != nil {
		http.Error(w, "the numbers are in E.164: SMS=+447700900555 TO=+447700900444", http.StatusBadRequest)
		return
	}
	c.tell(notice)
	w.WriteHeader(http.StatusAccepted)
}

// EmailsPath takes emails that people write to companies, as JSON. It lists those that were sent to the address in the
// parameter to.
const EmailsPath = "/_local/emails"

// serveEmail takes an email: it puts it into the bucket as SES does, and has the functions get the notice of it.
func (c *Cloud) serveEmail(w http.ResponseWriter, r *http.Request) {
	var l email.Letter
	err := json.NewDecoder(io.LimitReader(r.Body, maxPosted)).Decode(&l)
	id, now := strings.ToLower(rand.Text()), time.Now().UTC()
	var raw []byte
	if err == nil {
		raw, err = c.emails.Raw(l, id, now)
	}
	if err != nil {
		http.Error(w, "EMAIL=asha@example.com TO=jobs@acme.example TEXT=Yes: "+err.Error(), http.StatusBadRequest)
		return
	}
	key := media.RawMail + id
	bucket := objects.Open(func(name string) string {
		return map[string]string{"MEDIA_BUCKET": files.Bucket, "S3_ENDPOINT": c.Addresses.Files, "AWS_REGION": region,
			"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}[name]
	}, &http.Client{})
	err = bucket.Put(r.Context(), objects.Object{
		Key: key, ContentType: "message/rfc822", Body: bytes.NewReader(raw), Size: int64(len(raw)),
		SHA256: sha256.Sum256(raw)})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	c.tell(email.Received(id, l.To, files.Bucket, key, now))
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, id)
}

// tell has the functions that send emails get a notice, as SNS brings it: a function that fails gets it twice more.
func (c *Cloud) tell(notice []byte) {
	event, _ := json.Marshal(events.SNSEvent{Records: []events.SNSEventRecord{{ // it can always be encoded
		EventSource: "aws:sns", EventVersion: "1.0",
		SNS: events.SNSEntity{
			Type: "Notification", MessageID: "notice", Message: string(notice), Timestamp: time.Now().UTC()},
	}}})
	for _, function := range c.config.Functions {
		if !function.Email {
			continue
		}
		c.running.Go(func() {
			for range 3 {
				select {
				case <-time.After(time.Second): // the send is settled meanwhile
				case <-c.context.Done():
					return
				}
				_, err := c.Invoke(c.context, function.Name, event)
				if err == nil {
					return
				}
				c.log.Warn("a notice was not taken", "function", function.Name, "error", err)
			}
		})
	}
}
