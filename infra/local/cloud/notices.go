package cloud

import (
	"encoding/json"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

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
