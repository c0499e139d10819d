package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/queue"
	"github.com/haatline/haatline/infra/local/streams"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eum/notices"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// longestRetry is the longest wait before a queue brings a message again.
const longestRetry = 10 * time.Second

// connectQueues starts the queue of every function that has one.
func (c *Cloud) connectQueues(context.Context) error {
	for _, function := range c.config.Functions {
		if function.Queue == nil {
			continue
		}
		name := function.Queue.FullName(stage)
		opened, err := queue.Open(queue.Config{
			Queue: *function.Queue, ARN: "arn:aws:sqs:" + region + ":" + eum.AWSAccount + ":" + name, Region: region,
			Dir: c.config.path("queues", function.Queue.Name), DeadDir: c.config.path("failures", function.Name),
			Invoke:  c.pools[function.Name].Invoke,
			Backoff: func(attempt int) time.Duration { return min(longestRetry, streams.Backoff(attempt)) },
			Now:     time.Now, Log: c.log})
		if err != nil {
			return fmt.Errorf("connect %s to its queue: %w", function.Name, err)
		}
		c.notices = opened
		c.running.Go(func() { opened.Run(c.context) })
	}
	return nil
}

// carry tells of a webhook's body by AWS, entry by entry, and reports whether AWS tells of all of it. AWS tells of what
// concerns a number that sends by AWS. Of what concerns a whole account with such a number, both tell: AWS, and Meta
// for the numbers that are not at AWS. It is logged once.
func (c *Cloud) carry(ctx context.Context, body []byte) (all bool, err error) {
	var posted struct {
		Entry []json.RawMessage `json:"entry"`
	}
	if c.notices == nil || json.Unmarshal(body, &posted) != nil || len(posted.Entry) == 0 {
		return false, nil // the webhook judges it
	}
	all = true
	for _, entry := range posted.Entry {
		some, only, err := c.concernsAWS(ctx, entry)
		if err == nil && some {
			err = c.notices.Send(eum.Notice(region, entry, time.Now(), false))
		}
		if err != nil {
			return false, err
		}
		all = all && only
	}
	return all, nil
}

// concernsAWS reports whether an entry of a webhook concerns a number at AWS, or an account that has one, and whether
// it concerns nothing but numbers at AWS.
func (c *Cloud) concernsAWS(ctx context.Context, entry json.RawMessage) (some, only bool, err error) {
	parts, err := whatsapp.DecodeEntry(entry)
	if err != nil {
		return false, false, nil // the webhook judges it
	}
	only = true
	for _, part := range parts {
		var at bool
		if part.PhoneNumberID == "" {
			at, err = c.hasNumbersAtAWS(ctx, part.WABAID)
		} else {
			at, err = c.atAWS(ctx, part.PhoneNumberID)
		}
		if err != nil {
			return false, false, err
		}
		some, only = some || at, only && at && part.PhoneNumberID != ""
	}
	return some, only, nil
}

// atAWS reports whether a number sends by AWS.
func (c *Cloud) atAWS(ctx context.Context, phone string) (bool, error) {
	id, err := model.ParsePhoneNumberID(phone)
	if err != nil {
		return false, nil // such a number is nobody's
	}
	var item model.Phone
	err = c.database.Get(ctx, tables.Messages, keys.Phone(id), &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return false, nil
	}
	return item.AWSPhoneNumberID != "", err
}

// hasNumbersAtAWS reports whether a number of an account sends by AWS.
func (c *Cloud) hasNumbersAtAWS(ctx context.Context, waba string) (bool, error) {
	phones, err := scan[model.Phone](ctx, c, tables.Messages,
		"itemType = :phone AND attribute_exists(awsPhoneNumberId)",
		dynamo.Item{":phone": dynamo.S(model.ItemPhone)})
	return slices.ContainsFunc(phones, func(p model.Phone) bool {
		return p.WABAMetaID == model.WABAID(waba) && p.AWSPhoneNumberID != ""
	}), err
}

// NoticesPath takes what AWS End User Messaging tells of WhatsApp by SNS, as it comes into the queue.
const NoticesPath = "/_local/whatsapp-notices"

// serveNotice puts a notice into the queue, whatever it holds, as SNS does. The simulated WhatsApp learns who has
// written.
func (c *Cloud) serveNotice(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPosted))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if c.notices == nil {
		http.Error(w, "no function has a queue", http.StatusNotFound)
		return
	}
	if entry, is := notices.Entry(text); is {
		body, _ := json.Marshal(map[string][]json.RawMessage{"entry": {entry}}) // it is JSON
		c.simulator.Told(body)
	}
	if err := c.notices.Send(text); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
