package model

// AuditLog records one action of a person on other people's data, under the contract's attribute names. NewValue, a
// map, holds what was done.
type AuditLog struct {
	TargetKey         string   `dynamodbav:"targetKey"`      // {targetType}#{targetId}
	TimestampLogID    string   `dynamodbav:"timestampLogId"` // {timestamp}#{logId}
	LogID             string   `dynamodbav:"logId"`
	AdminEcosystemID  string   `dynamodbav:"adminEcosystemId"` // the subject of the person's token
	AdminEmail        string   `dynamodbav:"adminEmail,omitempty"`
	Action            string   `dynamodbav:"action"`
	TargetType        string   `dynamodbav:"targetType"`
	TargetID          string   `dynamodbav:"targetId"`
	TargetEcosystemID TenantID `dynamodbav:"targetEcosystemId,omitempty"` // the tenant of the data
	PreviousValue     Document `dynamodbav:"previousValue,omitempty"`
	NewValue          Document `dynamodbav:"newValue,omitempty"`
	Reason            string   `dynamodbav:"reason"`
	RequestID         string   `dynamodbav:"requestId"`
	IPAddress         string   `dynamodbav:"ipAddress,omitempty"`
	UserAgent         string   `dynamodbav:"userAgent,omitempty"`
	Timestamp         Time     `dynamodbav:"timestamp"`
}
