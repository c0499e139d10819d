package settings

import (
	"fmt"
	"regexp"
)

// EUM says by which topic AWS End User Messaging tells of WhatsApp. The zero value says that no number is there.
type EUM struct {
	Topic  string // the ARN of a topic of SNS
	Region string // the topic's
}

var topicForm = regexp.MustCompile(`^arn:aws[a-z-]*:sns:([a-z0-9-]+):[0-9]{12}:[A-Za-z0-9_-]{1,256}$`)

// parseEUM parses the context value eumTopic. It refuses a FIFO topic: AWS End User Messaging posts to standard topics
// only.
func parseEUM(topic string) (EUM, error) {
	if topic == "" {
		return EUM{}, nil
	}
	parts := topicForm.FindStringSubmatch(topic)
	if parts == nil {
		return EUM{}, fmt.Errorf(
			"eumTopic: %q is not the ARN of a standard topic of SNS (arn:aws:sns:{region}:{account}:{name})", topic)
	}
	return EUM{topic, parts[1]}, nil
}
