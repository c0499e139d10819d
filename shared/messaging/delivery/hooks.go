package delivery

import (
	"context"

	"github.com/haatline/haatline/shared/messaging/sending"
)

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
