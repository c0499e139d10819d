package pushes

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
)

// EventNotify is the outbox event that notifies a colleague in one browser.
const EventNotify = "pushes.notify"

// notice is the payload of an event of which one browser is notified. It has no name and no text of a person.
type notice struct {
	Subject   model.Name      `json:"subject"`
	Device    model.Name      `json:"device"`
	ID        string          `json:"id"` // of what was published
	Kind      string          `json:"kind"`
	At        model.Time      `json:"at"`
	MessageID model.MessageID `json:"messageId"`
}

// Tell returns the writes by which the browsers of a tenant that want an event are notified.
func (p *Pushes) Tell(ctx context.Context, tenant model.TenantID, of publishing.Published) ([]dynamo.Put, error) {
	if of.Kind != inbox.EventReceived && of.Kind != inbox.EventPerson {
		return nil, nil
	}
	var about struct {
		MessageID model.MessageID `json:"messageId"`
	}
	if err := json.Unmarshal(of.Data, &about); err != nil || about.MessageID == "" {
		return nil, nil // it leads to no conversation
	}
	all, err := p.all(ctx, tenant)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	c, there, err := p.Conversation(ctx, about.MessageID)
	if err != nil || !there {
		return nil, err
	}
	var writes []dynamo.Put
	for _, d := range all[:min(len(all), Most)] {
		if !wants(d, of.Kind, c) {
			continue
		}
		payload, err := json.Marshal(notice{d.Subject, d.DeviceID, of.ID, of.Kind, of.At, about.MessageID})
		if err != nil {
			return nil, err
		}
		_, put, err := p.Outbox.Loose(ctx, outbox.Draft{
			Type: EventNotify, Tenant: tenant, EntityType: keys.EntityPush,
			EntityID: keys.PushEntity(d.Subject, d.DeviceID, of.ID), Payload: payload})
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	return writes, nil
}

// wants reports whether a browser wants to be told of an event in a conversation.
func wants(d model.PushDevice, kind string, c model.Conversation) bool {
	mine, nobodys := c.Assignee == string(d.Subject), c.Assignee == ""
	if kind == inbox.EventPerson {
		return (mine || nobodys) && slices.Contains(d.Wants, NeedsPerson)
	}
	return mine && slices.Contains(d.Wants, Mine) || nobodys && slices.Contains(d.Wants, Unassigned)
}
