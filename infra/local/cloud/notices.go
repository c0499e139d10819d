package cloud

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/events"

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
