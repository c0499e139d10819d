package khata

import "github.com/haatline/haatline/shared/khata/reminders"

// The metrics of the domain.
var (
	RemindersPlanned   = reminders.Planned
	RemindersSent      = reminders.Sent
	RemindersCancelled = reminders.Cancelled
	RemindersFailed    = reminders.Failed
)

// PlanReminders is the detail type of the schedule that plans reminders. The function's other schedule sends them.
const PlanReminders = "reminders-plan"
