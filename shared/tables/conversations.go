package tables

// The indexes of the conversations table.
const (
	IndexTalksOfProject  = "company-id-project-id-index"
	IndexTalksByWhatsApp = "company-whatsapp-number-recipient-tel-index"
	IndexTalksBySMS      = "company-sms-number-recipient-tel-index"
	IndexTalksByEmail    = "company-email-recipient-email-index"
	IndexTalksByTime     = "created-at-index"
	IndexTalksByTask     = "task-complete-index"
	IndexTalksByStatus   = "conversation-status-index"
	IndexTalksByChannel  = "channel-method-index"
)

// Conversations is the only table of the multi-channel contract. Local indexes can only be created with the table.
var Conversations = Table{
	ID: "Conversations", name: "conversations-{stage}", OwnedByAWS: true,
	Partition: key{"primary_channel", String}, Sort: key{"conversation_id", String},
	Global: []Index{
		{Name: IndexTalksOfProject, Partition: key{"company_id", String}, Sort: key{"project_id", String},
			Projection: ProjectAll},
		{Name: IndexTalksByWhatsApp, Partition: key{"gsi_company_whatsapp_number", String},
			Sort: key{"gsi_recipient_tel", String}, Projection: ProjectAll},
		{Name: IndexTalksBySMS, Partition: key{"gsi_company_sms_number", String},
			Sort: key{"gsi_recipient_tel", String}, Projection: ProjectAll},
		{Name: IndexTalksByEmail, Partition: key{"gsi_company_email", String}, Sort: key{"gsi_recipient_email", String},
			Projection: ProjectAll},
	},
	Local: []Index{
		{Name: IndexTalksByTime, Partition: key{"primary_channel", String}, Sort: key{"created_at", String},
			Projection: ProjectAll},
		{Name: IndexTalksByTask, Partition: key{"primary_channel", String}, Sort: key{"task_complete", Number},
			Projection: ProjectAll},
		{Name: IndexTalksByStatus, Partition: key{"primary_channel", String}, Sort: key{"conversation_status", String},
			Projection: ProjectAll},
		{Name: IndexTalksByChannel, Partition: key{"primary_channel", String}, Sort: key{"channel_method", String},
			Projection: ProjectAll},
	},
	TTL:      "ttl",
	Recovery: durable,
}

func init() { register(&Conversations) }
