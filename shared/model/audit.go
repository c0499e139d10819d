package model

// AuditLog is the record of one thing a person did to what is kept of somebody, under the contract's attribute names. What
// was done stands in NewValue, a map.
type AuditLog struct {
	TargetKey         string   `dynamodbav:"targetKey"`      // {targetType}#{targetId}
	TimestampLogID    string   `dynamodbav:"timestampLogId"` // {timestamp}#{logId}
	LogID             string   `dynamodbav:"logId"`
	AdminEcosystemID  string   `dynamodbav:"adminEcosystemId"` // who did it: the subject of the token
	AdminEmail        string   `dynamodbav:"adminEmail,omitempty"`
	Action            string   `dynamodbav:"action"`
	TargetType        string   `dynamodbav:"targetType"`
	TargetID          string   `dynamodbav:"targetId"`
	TargetEcosystemID TenantID `dynamodbav:"targetEcosystemId,omitempty"` // the tenant that had it
	PreviousValue     Document `dynamodbav:"previousValue,omitempty"`
	NewValue          Document `dynamodbav:"newValue,omitempty"`
	Reason            string   `dynamodbav:"reason"`
	RequestID         string   `dynamodbav:"requestId"`
	IPAddress         string   `dynamodbav:"ipAddress,omitempty"`
	UserAgent         string   `dynamodbav:"userAgent,omitempty"`
	Timestamp         Time     `dynamodbav:"timestamp"`
}
