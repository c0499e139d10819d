package delivery

import (
	"context"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// TellOutside returns the reaction that publishes that a message has failed.
func (s *Statuses) TellOutside() OnDelivery {
	return OnDelivery{Name: "events", React: func(ctx context.Context, d Delivery) error {
		if d.Status != model.Failed || d.Mismatch != "" {
			return nil
		}
		code := int64(0)
		if d.Problem != nil {
			code = int64(d.Problem.Code)
		}
		return s.Inbox.TellFailed(ctx, d.Phone, d.MessageID, code, d.At)
	}}
}

// TellDomains returns the reaction that calls the hook of the domain that sent a message.
func TellDomains(hooks []sending.Hook) OnDelivery {
	return OnDelivery{Name: "domains", React: func(ctx context.Context, d Delivery) error {
		hook, reference := sending.HookOf(hooks, d.Purpose)
		if d.Mismatch != "" || hook == nil || hook.Status == nil {
			return nil
		}
		return hook.Status(ctx, reference, d.MessageID, d.Status, d.Problem)
	}}
}
