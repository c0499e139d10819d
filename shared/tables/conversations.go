package tables

// Conversations is the only table of the multi-channel contract. Local indexes can only be created with the table.
var Conversations = described(Table{
	ID: "Conversations", name: "conversations-{stage}", OwnedByAWS: true,
	Partition: s("primary_channel"), Sort: s("conversation_id"),
	Global: []Index{
		{Name: "company-id-project-id-index", Partition: s("company_id"), Sort: s("project_id"),
			Projection: ProjectAll},
		{Name: "company-whatsapp-number-recipient-tel-index", Partition: s("gsi_company_whatsapp_number"),
			Sort: s("gsi_recipient_tel"), Projection: ProjectAll},
		{Name: "company-sms-number-recipient-tel-index", Partition: s("gsi_company_sms_number"),
			Sort: s("gsi_recipient_tel"), Projection: ProjectAll},
		{Name: "company-email-recipient-email-index", Partition: s("gsi_company_email"), Sort: s("gsi_recipient_email"),
			Projection: ProjectAll},
	},
	Local: []Index{
		{Name: "created-at-index", Partition: s("primary_channel"), Sort: s("created_at"), Projection: ProjectAll},
		{Name: "task-complete-index", Partition: s("primary_channel"), Sort: n("task_complete"),
			Projection: ProjectAll},
		{Name: "conversation-status-index", Partition: s("primary_channel"), Sort: s("conversation_status"),
			Projection: ProjectAll},
		{Name: "channel-method-index", Partition: s("primary_channel"), Sort: s("channel_method"),
			Projection: ProjectAll},
	},
	TTL:      "ttl",
	Recovery: durable, Unused: true,
})
