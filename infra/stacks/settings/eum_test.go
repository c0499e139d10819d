package settings_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/settings"
)

func TestATopicOfAWSEndUserMessagingIsCheckedBeforeAnythingIsMade(t *testing.T) {
	const topic = "arn:aws:sns:ap-south-1:123456789012:whatsapp"
	for name, c := range map[string]struct {
		topic string
		want  settings.EUM
		wrong bool
	}{
		"none":             {},
		"a topic":          {topic, settings.EUM{Topic: topic, Region: "ap-south-1"}, false},
		"a FIFO topic":     {topic + ".fifo", settings.EUM{}, true},
		"a queue":          {strings.Replace(topic, ":sns:", ":sqs:", 1), settings.EUM{}, true},
		"a name":           {"whatsapp", settings.EUM{}, true},
		"a line break":     {topic + "\n", settings.EUM{}, true},
		"a subscription":   {topic + ":2bcfbf39-05c3-41de-beaa-fcfcc21c8f55", settings.EUM{}, true},
		"no account in it": {"arn:aws:sns:ap-south-1::whatsapp", settings.EUM{}, true},
	} {
		given := map[string]any{"stage": "prod", "defaultTenant": ""}
		if c.topic != "" {
			given["eumTopic"] = c.topic
		}
		options, err := settings.Read("build", func(name string) any { return given[name] })
		if c.wrong {
			if err == nil || !strings.Contains(err.Error(), "eumTopic") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v; it should name eumTopic in one line", name, err)
			}
		} else if err != nil || options.EUM != c.want {
			t.Errorf("%s: %+v, %v", name, options.EUM, err)
		}
	}
}
