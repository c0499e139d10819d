package khata

import (
	"github.com/haatline/haatline/shared/khata/reconcile"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/outbox"
)

// The metrics of the domain.
var (
	RemindersPlanned   = reminders.Planned
	RemindersSent      = reminders.Sent
	RemindersCancelled = reminders.Cancelled
	RemindersFailed    = reminders.Failed
	LedgerFindings     = reconcile.Findings // what does not hold in the books
)

// PlanReminders is the detail type of the schedule that plans reminders. The function's other schedule sends them.
const PlanReminders = "reminders-plan"

// Texts sends texts: sms.Client.
type Texts = reminders.Texts

// SMSHandlers returns the handlers of the outbox events that are sent by SMS.
func (d *Domain) SMSHandlers(texts Texts) map[string]outbox.Handler {
	return d.Reminders.Handlers(texts)
}
