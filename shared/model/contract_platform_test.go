package model_test

import "github.com/haatline/haatline/shared/model"

// platformEntities are those whose operations come later.
var platformEntities = map[string]entity{
	"PAYMENT_CONFIG": {
		of: model.PaymentConfig{},
		contract: attributes{"S": {"pk", "itemType", "tenantId", "configName", "type", "status", "paymentGatewayMid", "upiId", "mcc",
			"purposeCode", "lastValidatedAt"}},
		always:  []string{"pk", "itemType", "tenantId", "configName"},
		indexes: []string{"gsi_tenant"},
	},
	"PAYMENT_ORDER": {
		of: model.PaymentOrder{},
		contract: attributes{
			"S": {"pk", "itemType", "tenantId", "orderId", "referenceId", "configName", "customerPhone", "currency", "status",
				"paymentStatus", "transactionId", "createdAt"},
			"N": {"totalAmount"},
		},
		always:  []string{"pk", "itemType", "tenantId", "orderId", "referenceId", "totalAmount", "createdAt"},
		indexes: []string{"gsi_customer_phone", "gsi_order", "gsi_tenant", "gsi_payment_status"},
	},
	"REFUND": {
		of: model.Refund{},
		contract: attributes{
			"S": {"pk", "itemType", "refundId", "orderId", "tenantId", "customerPhone", "currency", "status", "reason", "createdAt",
				"processedAt"},
			"N": {"amount"},
		},
		always:  []string{"pk", "itemType", "refundId", "orderId", "tenantId", "amount", "createdAt"},
		indexes: []string{"gsi_customer_phone", "gsi_order", "gsi_tenant"},
	},
	"BUSINESS_PROFILE": {
		of: model.BusinessProfile{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "businessName", "about", "address", "description", "email", "vertical", "syncStatus",
				"updatedAt"},
			"L": {"websites"},
		},
		always:  []string{"pk", "itemType", "wabaMetaId"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"TEMPLATE_EUM": {
		of: model.TemplateEUM{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaId", "templateName", "metaTemplateId", "templateStatus", "templateCategory",
				"templateLanguage", "qualityScore", "cachedAt", "syncedAt"},
			"L": {"components"},
		},
		always:  []string{"pk", "itemType", "wabaId", "templateName", "templateLanguage"},
		indexes: []string{"gsi_template_waba", "gsi_template_name"},
	},
	"TEMPLATE_META": {
		of: model.TemplateMeta{},
		contract: attributes{"S": {"pk", "itemType", "wabaMetaId", "templateName", "templateId", "status", "category", "language",
			"cachedAt"}},
		always:  []string{"pk", "itemType", "wabaMetaId", "templateName", "language"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"TEMPLATE_MEDIA": {
		of: model.TemplateMedia{},
		contract: attributes{
			"S": {"pk", "itemType", "mediaId", "wabaId", "s3Bucket", "s3Key", "contentType", "uploadedAt"}, "N": {"contentLength"},
		},
		always: []string{"pk", "itemType", "mediaId"},
	},
	"GROUP": {
		of: model.Group{},
		contract: attributes{
			"S": {"pk", "itemType", "groupId", "wabaMetaId", "name", "description", "createdAt", "updatedAt"},
			"L": {"participants", "admins"},
		},
		always:  []string{"pk", "itemType", "groupId"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"CATALOG": {
		of:       model.Catalog{},
		contract: attributes{"S": {"pk", "itemType", "catalogId", "wabaMetaId", "name", "syncedAt"}, "N": {"productCount"}},
		always:   []string{"pk", "itemType", "catalogId", "productCount"},
		indexes:  []string{"gsi_waba_itemtype"},
	},
	"PRODUCT": {
		of: model.Product{},
		contract: attributes{
			"S": {"pk", "itemType", "catalogId", "retailerId", "name", "description", "currency", "imageUrl", "availability"},
			"N": {"price"},
		},
		always:  []string{"pk", "itemType", "catalogId", "retailerId", "price"},
		indexes: []string{"gsi_catalog"},
	},
	"CAMPAIGN": {
		of: model.Campaign{},
		contract: attributes{
			"S": {"pk", "itemType", "campaignId", "wabaMetaId", "name", "templateName", "status", "createdAt", "scheduledAt"},
			"N": {"totalRecipients", "sentCount", "deliveredCount", "readCount"},
		},
		always: []string{"pk", "itemType", "campaignId", "totalRecipients", "sentCount", "deliveredCount", "readCount",
			"createdAt"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"WEBHOOK_CONFIG": {
		of: model.WebhookConfig{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "verifyToken", "appSecret", "updatedAt"}, "BOOL": {"enabled"},
		},
		always:  []string{"pk", "itemType", "wabaMetaId", "enabled"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"CALL": {
		of: model.Call{},
		contract: attributes{
			"S": {"pk", "itemType", "callId", "wabaMetaId", "from", "to", "status", "startedAt", "endedAt"}, "N": {"duration"},
		},
		always:  []string{"pk", "itemType", "callId", "duration"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"ANALYTICS": {
		of: model.Analytics{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "date"},
			"N": {"messagesSent", "messagesDelivered", "messagesRead", "messagesFailed"}, "M": {"templatesUsed"},
		},
		always: []string{"pk", "itemType", "wabaMetaId", "date", "messagesSent", "messagesDelivered", "messagesRead",
			"messagesFailed"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"QUALITY_RATING": {
		of: model.QualityRating{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "qualityRating", "throughputStatus", "lastCheckedAt"}, "L": {"qualityHistory"},
		},
		always:  []string{"pk", "itemType"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"CONFIG infra": {
		of:       model.InfraConfig{},
		contract: attributes{"S": {"pk", "itemType", "vpcEndpoint", "serviceLinkedRole", "updatedAt"}},
		always:   []string{"pk", "itemType"},
	},
	"CONFIG media types": {
		of:       model.MediaTypesConfig{},
		contract: attributes{"S": {"pk", "itemType", "updatedAt"}, "M": {"supportedTypes"}},
		always:   []string{"pk", "itemType"},
	},
	"ADDRESS": {
		of: model.Address{},
		contract: attributes{
			"S": {"pk", "itemType", "customerPhone", "addressId", "name", "phoneNumber", "address", "city", "state", "postalCode",
				"country", "createdAt"},
			"BOOL": {"isDefault"},
		},
		always:  []string{"pk", "itemType", "customerPhone", "addressId", "isDefault", "createdAt"},
		indexes: []string{"gsi_customer_phone"},
	},
	"FLOW_RESPONSE": {
		of: model.FlowResponse{},
		contract: attributes{
			"S": {"pk", "itemType", "flowId", "responseId", "customerPhone", "screenId", "completedAt"}, "M": {"data"},
		},
		additions: attributes{"S": {"createdAt"}},
		always:    []string{"pk", "itemType", "flowId", "responseId", "createdAt"},
		indexes:   []string{"gsi_customer_phone"},
	},
}
