package khata

import (
	"github.com/haatline/haatline/shared/khata/reconcile"
	"github.com/haatline/haatline/shared/khata/reminders"
)

// The metrics of the domain.
var (
	RemindersPlanned   = reminders.Planned
	RemindersSent      = reminders.Sent
	RemindersCancelled = reminders.Cancelled
	RemindersFailed    = reminders.Failed
	LedgerFindings     = reconcile.Findings // what does not hold in the books
	LedgersChecked     = reconcile.Complete // rounds in which all books were checked
)

// PlanReminders is the detail type of the schedule that plans reminders. The function's other schedule sends them.
const PlanReminders = "reminders-plan"
