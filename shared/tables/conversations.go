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
	Partition: s("primary_channel"), Sort: s("conversation_id"),
	Global: []Index{
		{Name: IndexTalksOfProject, Partition: s("company_id"), Sort: s("project_id"),
			Projection: ProjectAll},
		{Name: IndexTalksByWhatsApp, Partition: s("gsi_company_whatsapp_number"),
			Sort: s("gsi_recipient_tel"), Projection: ProjectAll},
		{Name: IndexTalksBySMS, Partition: s("gsi_company_sms_number"),
			Sort: s("gsi_recipient_tel"), Projection: ProjectAll},
		{Name: IndexTalksByEmail, Partition: s("gsi_company_email"), Sort: s("gsi_recipient_email"),
			Projection: ProjectAll},
	},
	Local: []Index{
		{Name: IndexTalksByTime, Partition: s("primary_channel"), Sort: s("created_at"), Projection: ProjectAll},
		{Name: IndexTalksByTask, Partition: s("primary_channel"), Sort: n("task_complete"),
			Projection: ProjectAll},
		{Name: IndexTalksByStatus, Partition: s("primary_channel"), Sort: s("conversation_status"),
			Projection: ProjectAll},
		{Name: IndexTalksByChannel, Partition: s("primary_channel"), Sort: s("channel_method"),
			Projection: ProjectAll},
	},
	TTL:      "ttl",
	Recovery: durable,
}

func init() { register(&Conversations) }
