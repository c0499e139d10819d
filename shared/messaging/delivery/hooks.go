package delivery

import (
	"context"

	"github.com/haatline/haatline/shared/messaging/sending"
)

// TellDomains is the reaction that tells domains of the statuses of the messages that they have sent.
func TellDomains(hooks []sending.Hook) OnDelivery {
	return OnDelivery{Name: "domains", React: func(ctx context.Context, d Delivery) error {
		hook, reference := sending.HookOf(hooks, d.Purpose)
		if d.Mismatch != "" || hook == nil || hook.Status == nil {
			return nil
		}
		return hook.Status(ctx, reference, d.MessageID, d.Status, d.Problem)
	}}
}
