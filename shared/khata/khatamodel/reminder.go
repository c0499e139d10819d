package khatamodel

import "github.com/haatline/haatline/shared/model"

// Reminder asks a customer once to pay what they owe.
type Reminder struct {
	PK            string     `dynamodbav:"pk"` // REMINDER#{reminder_id}
	SK            string     `dynamodbav:"sk"` // SCHEDULED#{the beginning of the period, in UTC}
	ReminderID    model.Name `dynamodbav:"reminder_id"`
	StoreID       model.Name `dynamodbav:"store_id"`
	CustomerPhone model.Name `dynamodbav:"customer_phone"`
	// when it was sent; until then, when it was planned
	OutstandingAmount model.Amount `dynamodbav:"outstanding_amount"`
	// when it is to be sent; it moves while the store is closed, and after a failure
	ScheduledAt     model.Time     `dynamodbav:"scheduled_at"`
	Status          ReminderStatus `dynamodbav:"status"`
	ReminderType    Channel        `dynamodbav:"reminder_type"`
	MessageTemplate string         `dynamodbav:"message_template"`
	Language        string         `dynamodbav:"language"`
	RetryCount      int            `dynamodbav:"retry_count"`
	// why it failed, is tried again, or was cancelled; null for neither
	FailureReason *string     `dynamodbav:"failure_reason"`
	GSI1PK        string      `dynamodbav:"gsi1pk"` // STORE#{store_id}
	GSI1SK        string      `dynamodbav:"gsi1sk"` // STATUS#{status}#{scheduled_at}
	CreatedAt     model.Time  `dynamodbav:"created_at"`
	SentAt        *model.Time `dynamodbav:"sent_at"` // when it was handed over for sending
	TTL           int64       `dynamodbav:"ttl"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// whose period it is for; Once where a person has asked for it
	Frequency Frequency `dynamodbav:"frequency"`
	// when the customer was due, whether the store is open then or not
	SlotAt        model.Time      `dynamodbav:"slot_at"`
	DueBucket     string          `dynamodbav:"due_bucket,omitempty"`      // set while it waits to be sent
	MessageID     model.MessageID `dynamodbav:"message_id,omitempty"`      // of the WhatsApp message
	OutboxEventID string          `dynamodbav:"outbox_event_id,omitempty"` // by which it was sent
	// how often it was handed over in vain, because something changed before it was sent
	Rounds int `dynamodbav:"rounds,omitempty"`
}

// ReminderStatus is what has become of a reminder.
type ReminderStatus string

const (
	Scheduled ReminderStatus = "scheduled"
	Sent      ReminderStatus = "sent"
	Failed    ReminderStatus = "failed"
	Cancelled ReminderStatus = "cancelled"
)
