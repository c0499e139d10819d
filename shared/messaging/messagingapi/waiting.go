package messagingapi

import (
	"context"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// waiting is why a queued message has not gone out.
type waiting struct {
	Reason string `json:"reason" example:"The access token has expired or was withdrawn." doc:"Why it waits, in plain English."`
	Action string `json:"action,omitempty" doc:"What to do about it."`
	Until  string `json:"until,omitempty" format:"date-time" doc:"When it is tried next."`
}

// waits says of queued messages why they wait, by pk. It reads their events and how their numbers stand: what goes well
// has been sent, and is not asked about.
func (o *service) waits(ctx context.Context, messages []model.Message) (map[string]*waiting, error) {
	var queued []model.Message
	var ids, groups []string
	for _, m := range messages {
		phone, _, placed := keys.ConversationIDs(m.ConversationPK)
		if m.Waits() && placed {
			queued, ids, groups = append(queued, m), append(ids, m.OutboxEventID),
				append(groups, sending.SenderGroup(phone))
		}
	}
	if len(queued) == 0 {
		return nil, nil
	}
	events, err := o.outbox.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	stops, err := o.outbox.Stops(ctx, groups)
	if err != nil {
		return nil, err
	}
	waits := map[string]*waiting{}
	for i, m := range queued {
		event, known := events[m.OutboxEventID]
		if !known {
			continue
		}
		stop := stops[groups[i]]
		switch why := showFailure(event); {
		case !stop.StoppedUntil.IsZero():
			meant := explain(stop.Code())
			waits[m.PK] = &waiting{
				"Its number is stopped: " + meant.Meaning, meant.Action, string(model.At(stop.StoppedUntil))}
		case why != nil && event.Status == model.OutboxFailed:
			waits[m.PK] = &waiting{why.Meaning, why.Action, string(event.NextRetryAt)}
		}
	}
	return waits, nil
}
