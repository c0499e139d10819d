package posting

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
)

// errUnsettled means that SES tells of an email whose send has not been settled yet.
var errUnsettled = errors.New("the email's send is not settled yet")

// Told takes what SES tells of an email that was sent. An address that does not work, or whose owner calls an email
// spam, gets no more of the tenant's. The domain that has sent an email learns that it did not arrive. Told may be
// called again with the same notice. What it tells of an email that has expired or was erased is dropped.
func Told(ctx context.Context, m *mailing.Mailing, n notices.Notice) error {
	if n.Kind != notices.Bounced && n.Kind != notices.Complained && n.Kind != notices.Rejected || n.Event == "" {
		return nil
	}
	event, err := m.Sender.Outbox().Get(ctx, keys.LaneSlow+"."+n.Event)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	email, err := mailing.Of(event)
	if err != nil || event.EventType != mailing.EventType {
		return nil // the send has said so
	}
	about := slices.Contains(n.Recipients, email.To)
	if n.Kind == notices.Complained && about {
		return m.List.Stop(ctx, event.EcosystemID, email.To, suppression.Complained)
	}
	if n.Kind == notices.Complained {
		return nil
	}
	if n.Permanent && about {
		if err := m.List.Stop(ctx, event.EcosystemID, email.To, suppression.Bounced); err != nil {
			return err
		}
	}
	if event.Status != model.OutboxSent {
		return fmt.Errorf("%s: %w", event.EventID, errUnsettled)
	}
	if err := m.Returned(ctx, event); err != nil {
		return err
	}
	hook, reference := sending.HookOf(m.Sender.Hooks, email.Purpose)
	if hook == nil || hook.Status == nil {
		return nil
	}
	return hook.Status(ctx, reference, model.MessageID(event.ExternalID), model.Failed,
		&model.Problem{Title: "the email has come back: " + string(n.Kind)})
}
