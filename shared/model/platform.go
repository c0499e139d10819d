package model

// The entities of the messages table whose operations come later: payments, catalogues, templates, campaigns, calls,
// figures. Each stands whole under the contract's attribute names, so that what is stored now is read then.

// PaymentConfig is a tenant's way to be paid, TENANT#{tenantId}#PAYCFG#{configName}.
type PaymentConfig struct {
	PK                string   `dynamodbav:"pk"`
	ItemType          string   `dynamodbav:"itemType"`
	TenantID          TenantID `dynamodbav:"tenantId"`
	ConfigName        Name     `dynamodbav:"configName"`
	Type              string   `dynamodbav:"type,omitempty"`   // PG or UPI
	Status            string   `dynamodbav:"status,omitempty"` // active, inactive, pending
	PaymentGatewayMID string   `dynamodbav:"paymentGatewayMid,omitempty"`
	UPIID             string   `dynamodbav:"upiId,omitempty"`
	MCC               string   `dynamodbav:"mcc,omitempty"`
	PurposeCode       string   `dynamodbav:"purposeCode,omitempty"`
	LastValidatedAt   Time     `dynamodbav:"lastValidatedAt,omitempty"`
}

// PaymentOrder is an order to be paid on WhatsApp, ORDER#{referenceId}.
type PaymentOrder struct {
	PK            string   `dynamodbav:"pk"`
	ItemType      string   `dynamodbav:"itemType"`
	TenantID      TenantID `dynamodbav:"tenantId"`
	OrderID       Name     `dynamodbav:"orderId"`
	ReferenceID   Name     `dynamodbav:"referenceId"`
	ConfigName    Name     `dynamodbav:"configName,omitempty"`
	CustomerPhone string   `dynamodbav:"customerPhone,omitempty"`
	Currency      string   `dynamodbav:"currency,omitempty"`
	TotalAmount   Amount   `dynamodbav:"totalAmount"`
	Status        string   `dynamodbav:"status,omitempty"` // pending, completed, failed
	PaymentStatus string   `dynamodbav:"paymentStatus,omitempty"`
	TransactionID string   `dynamodbav:"transactionId,omitempty"`
	CreatedAt     Time     `dynamodbav:"createdAt"`
}

// Refund is money going back, REFUND#{refundId}.
type Refund struct {
	PK            string   `dynamodbav:"pk"`
	ItemType      string   `dynamodbav:"itemType"`
	RefundID      Name     `dynamodbav:"refundId"`
	OrderID       Name     `dynamodbav:"orderId"`
	TenantID      TenantID `dynamodbav:"tenantId"`
	CustomerPhone string   `dynamodbav:"customerPhone,omitempty"`
	Amount        Amount   `dynamodbav:"amount"`
	Currency      string   `dynamodbav:"currency,omitempty"`
	Status        string   `dynamodbav:"status,omitempty"` // pending, processing, completed, failed, cancelled
	Reason        string   `dynamodbav:"reason,omitempty"`
	CreatedAt     Time     `dynamodbav:"createdAt"`
	ProcessedAt   Time     `dynamodbav:"processedAt,omitempty"`
}

// BusinessProfile is what customers see of a business, PROFILE#{metaWabaId}.
type BusinessProfile struct {
	PK           string   `dynamodbav:"pk"`
	ItemType     string   `dynamodbav:"itemType"`
	WABAMetaID   WABAID   `dynamodbav:"wabaMetaId"`
	BusinessName string   `dynamodbav:"businessName,omitempty"`
	About        string   `dynamodbav:"about,omitempty"`
	Address      string   `dynamodbav:"address,omitempty"`
	Description  string   `dynamodbav:"description,omitempty"`
	Email        string   `dynamodbav:"email,omitempty"`
	Websites     []string `dynamodbav:"websites,omitempty"`
	Vertical     string   `dynamodbav:"vertical,omitempty"`
	SyncStatus   string   `dynamodbav:"syncStatus,omitempty"` // local_only, pending_sync, synced
	UpdatedAt    Time     `dynamodbav:"updatedAt,omitempty"`
}

// TemplateEUM is a template under AWS End User Messaging, TEMPLATE_EUM#{wabaId}#{templateName}#{language}.
type TemplateEUM struct {
	PK               string     `dynamodbav:"pk"`
	ItemType         string     `dynamodbav:"itemType"`
	WABAID           WABAID     `dynamodbav:"wabaId"`
	TemplateName     Name       `dynamodbav:"templateName"`
	MetaTemplateID   string     `dynamodbav:"metaTemplateId,omitempty"`
	TemplateStatus   string     `dynamodbav:"templateStatus,omitempty"`   // APPROVED, PENDING, REJECTED, PAUSED, DISABLED
	TemplateCategory string     `dynamodbav:"templateCategory,omitempty"` // UTILITY, MARKETING, AUTHENTICATION
	TemplateLanguage Name       `dynamodbav:"templateLanguage"`
	QualityScore     string     `dynamodbav:"qualityScore,omitempty"` // GREEN, YELLOW, RED
	Components       []Document `dynamodbav:"components,omitempty"`
	CachedAt         Time       `dynamodbav:"cachedAt,omitempty"`
	SyncedAt         Time       `dynamodbav:"syncedAt,omitempty"`
}

// TemplateMeta is a cached template of the Cloud API, TEMPLATE_META#{wabaId}#{templateName}#{language}.
type TemplateMeta struct {
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	WABAMetaID   WABAID `dynamodbav:"wabaMetaId"`
	TemplateName Name   `dynamodbav:"templateName"`
	TemplateID   string `dynamodbav:"templateId,omitempty"`
	Status       string `dynamodbav:"status,omitempty"`
	Category     string `dynamodbav:"category,omitempty"`
	Language     Name   `dynamodbav:"language"`
	CachedAt     Time   `dynamodbav:"cachedAt,omitempty"`
}

// TemplateMedia is a file a template shows, TEMPLATE_MEDIA#{mediaId}.
type TemplateMedia struct {
	PK            string  `dynamodbav:"pk"`
	ItemType      string  `dynamodbav:"itemType"`
	MediaID       MediaID `dynamodbav:"mediaId"`
	WABAID        WABAID  `dynamodbav:"wabaId,omitempty"`
	S3Bucket      string  `dynamodbav:"s3Bucket,omitempty"`
	S3Key         string  `dynamodbav:"s3Key,omitempty"`
	ContentType   string  `dynamodbav:"contentType,omitempty"`
	ContentLength int64   `dynamodbav:"contentLength,omitempty"`
	UploadedAt    Time    `dynamodbav:"uploadedAt,omitempty"`
}

// Group is a WhatsApp group, GROUP#{groupId}.
type Group struct {
	PK           string     `dynamodbav:"pk"`
	ItemType     string     `dynamodbav:"itemType"`
	GroupID      Name       `dynamodbav:"groupId"`
	WABAMetaID   WABAID     `dynamodbav:"wabaMetaId,omitempty"`
	Name         string     `dynamodbav:"name,omitempty"`
	Description  string     `dynamodbav:"description,omitempty"`
	Participants []Document `dynamodbav:"participants,omitempty"`
	Admins       []string   `dynamodbav:"admins,omitempty"`
	CreatedAt    Time       `dynamodbav:"createdAt,omitempty"`
	UpdatedAt    Time       `dynamodbav:"updatedAt,omitempty"`
}

// Catalog is a product catalogue, CATALOG#{catalogId}.
type Catalog struct {
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	CatalogID    Name   `dynamodbav:"catalogId"`
	WABAMetaID   WABAID `dynamodbav:"wabaMetaId,omitempty"`
	Name         string `dynamodbav:"name,omitempty"`
	ProductCount int    `dynamodbav:"productCount"`
	SyncedAt     Time   `dynamodbav:"syncedAt,omitempty"`
}

// Product is one product of a catalogue, PRODUCT#{catalogId}#{retailerId}.
type Product struct {
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	CatalogID    Name   `dynamodbav:"catalogId"`
	RetailerID   Name   `dynamodbav:"retailerId"`
	Name         string `dynamodbav:"name,omitempty"`
	Description  string `dynamodbav:"description,omitempty"`
	Price        Amount `dynamodbav:"price"`
	Currency     string `dynamodbav:"currency,omitempty"`
	ImageURL     string `dynamodbav:"imageUrl,omitempty"`
	Availability string `dynamodbav:"availability,omitempty"` // in_stock, out_of_stock
}

// Campaign is one template sent to many, CAMPAIGN#{campaignId}.
type Campaign struct {
	PK              string `dynamodbav:"pk"`
	ItemType        string `dynamodbav:"itemType"`
	CampaignID      Name   `dynamodbav:"campaignId"`
	WABAMetaID      WABAID `dynamodbav:"wabaMetaId,omitempty"`
	Name            string `dynamodbav:"name,omitempty"`
	TemplateName    Name   `dynamodbav:"templateName,omitempty"`
	Status          string `dynamodbav:"status,omitempty"` // draft, scheduled, running, completed, paused
	TotalRecipients int    `dynamodbav:"totalRecipients"`
	SentCount       int    `dynamodbav:"sentCount"`
	DeliveredCount  int    `dynamodbav:"deliveredCount"`
	ReadCount       int    `dynamodbav:"readCount"`
	CreatedAt       Time   `dynamodbav:"createdAt"`
	ScheduledAt     Time   `dynamodbav:"scheduledAt,omitempty"`
}

// WebhookConfig is how a WABA's webhook is verified, WEBHOOK_CONFIG#{wabaId}. Both secrets are references, never secrets.
type WebhookConfig struct {
	PK          string `dynamodbav:"pk"`
	ItemType    string `dynamodbav:"itemType"`
	WABAMetaID  WABAID `dynamodbav:"wabaMetaId"`
	VerifyToken string `dynamodbav:"verifyToken,omitempty"`
	AppSecret   string `dynamodbav:"appSecret,omitempty"`
	Enabled     bool   `dynamodbav:"enabled"`
	UpdatedAt   Time   `dynamodbav:"updatedAt,omitempty"`
}

// Call is one call, CALL#{callId}. Duration is in seconds.
type Call struct {
	PK         string `dynamodbav:"pk"`
	ItemType   string `dynamodbav:"itemType"`
	CallID     Name   `dynamodbav:"callId"`
	WABAMetaID WABAID `dynamodbav:"wabaMetaId,omitempty"`
	From       string `dynamodbav:"from,omitempty"`
	To         string `dynamodbav:"to,omitempty"`
	Status     string `dynamodbav:"status,omitempty"` // initiated, ringing, answered, ended, failed
	Duration   int64  `dynamodbav:"duration"`
	StartedAt  Time   `dynamodbav:"startedAt,omitempty"`
	EndedAt    Time   `dynamodbav:"endedAt,omitempty"`
}

// Analytics is a WABA's figures of one day, ANALYTICS#{wabaId}#{date}.
type Analytics struct {
	PK                string         `dynamodbav:"pk"`
	ItemType          string         `dynamodbav:"itemType"`
	WABAMetaID        WABAID         `dynamodbav:"wabaMetaId"`
	Date              Name           `dynamodbav:"date"` // yyyy-mm-dd
	MessagesSent      int            `dynamodbav:"messagesSent"`
	MessagesDelivered int            `dynamodbav:"messagesDelivered"`
	MessagesRead      int            `dynamodbav:"messagesRead"`
	MessagesFailed    int            `dynamodbav:"messagesFailed"`
	TemplatesUsed     map[string]int `dynamodbav:"templatesUsed,omitempty"`
}

// QualityRating is how the platform rates a number, QUALITY#{phoneNumberId}.
type QualityRating struct {
	PK               string     `dynamodbav:"pk"`
	ItemType         string     `dynamodbav:"itemType"`
	WABAMetaID       WABAID     `dynamodbav:"wabaMetaId,omitempty"`
	QualityRating    string     `dynamodbav:"qualityRating,omitempty"` // GREEN, YELLOW, RED
	ThroughputStatus string     `dynamodbav:"throughputStatus,omitempty"`
	LastCheckedAt    Time       `dynamodbav:"lastCheckedAt,omitempty"`
	QualityHistory   []Document `dynamodbav:"qualityHistory,omitempty"`
}

// InfraConfig is CONFIG#INFRA.
type InfraConfig struct {
	PK                string `dynamodbav:"pk"`
	ItemType          string `dynamodbav:"itemType"`
	VPCEndpoint       string `dynamodbav:"vpcEndpoint,omitempty"`
	ServiceLinkedRole string `dynamodbav:"serviceLinkedRole,omitempty"`
	UpdatedAt         Time   `dynamodbav:"updatedAt,omitempty"`
}

// MediaTypesConfig is CONFIG#MEDIA_TYPES.
type MediaTypesConfig struct {
	PK             string   `dynamodbav:"pk"`
	ItemType       string   `dynamodbav:"itemType"`
	SupportedTypes Document `dynamodbav:"supportedTypes,omitempty"`
	UpdatedAt      Time     `dynamodbav:"updatedAt,omitempty"`
}

// Address is where a customer wants things brought, ADDRESS#{customerPhone}#{addressId}.
type Address struct {
	PK            string `dynamodbav:"pk"`
	ItemType      string `dynamodbav:"itemType"`
	CustomerPhone string `dynamodbav:"customerPhone"`
	AddressID     Name   `dynamodbav:"addressId"`
	Name          string `dynamodbav:"name,omitempty"`
	PhoneNumber   string `dynamodbav:"phoneNumber,omitempty"`
	Address       string `dynamodbav:"address,omitempty"`
	City          string `dynamodbav:"city,omitempty"`
	State         string `dynamodbav:"state,omitempty"`
	PostalCode    string `dynamodbav:"postalCode,omitempty"`
	Country       string `dynamodbav:"country,omitempty"`
	IsDefault     bool   `dynamodbav:"isDefault"`
	CreatedAt     Time   `dynamodbav:"createdAt"`
}

// FlowResponse is what a customer filled into a flow, FLOW_RESPONSE#{flowId}#{responseId}.
type FlowResponse struct {
	PK            string   `dynamodbav:"pk"`
	ItemType      string   `dynamodbav:"itemType"`
	FlowID        Name     `dynamodbav:"flowId"`
	ResponseID    Name     `dynamodbav:"responseId"`
	CustomerPhone string   `dynamodbav:"customerPhone,omitempty"`
	ScreenID      string   `dynamodbav:"screenId,omitempty"`
	Data          Document `dynamodbav:"data,omitempty"`
	CompletedAt   Time     `dynamodbav:"completedAt,omitempty"`
	CreatedAt     Time     `dynamodbav:"createdAt"` // addition: the sort key of the customer's index
}
