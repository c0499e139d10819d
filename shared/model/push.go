package model

// Item types of notifications that browsers show.
const (
	ItemPushDevice = "PUSH_DEVICE"
	ItemPushKey    = "PUSH_KEY"
)

// PushDevice is a browser in which a colleague wants to be notified, PUSH_DEVICE#{tenantId}#{subject}#{deviceId}. The
// contract does not have it.
type PushDevice struct {
	Rest
	PK       string   `dynamodbav:"pk"`
	ItemType string   `dynamodbav:"itemType"`
	TenantID TenantID `dynamodbav:"tenantId"`
	Subject  Name     `dynamodbav:"subject"`
	DeviceID Name     `dynamodbav:"deviceId"`
	// Endpoint is where the browser's push service takes notifications. P256dh and Auth are the browser's public key
	// and its secret, by which they are encrypted.
	Endpoint  string   `dynamodbav:"endpoint"`
	P256dh    string   `dynamodbav:"p256dh"`
	Auth      string   `dynamodbav:"auth"`
	Wants     []string `dynamodbav:"wants"` // of what, sorted: mine, needs_person, unassigned
	Language  string   `dynamodbav:"language"`
	CreatedAt Time     `dynamodbav:"createdAt"`
	ChangedAt Time     `dynamodbav:"changedAt"`
	// Roles are those of the colleague's item by which they might read what customers write, sorted. None means that
	// groups of the user pool let them, which no table holds: then ConfirmedAt counts, when the browser last proved it.
	Roles       []string `dynamodbav:"roles,omitempty"`
	ConfirmedAt Time     `dynamodbav:"confirmedAt,omitempty"`
	Version     int64    `dynamodbav:"version"` // the optimistic lock
}

// Lock returns the version, the optimistic lock.
func (d *PushDevice) Lock() *int64 { return &d.Version }

// PushKey is the pair of keys by which push services know a tenant, PUSH_KEY#{tenantId}. It is made once: browsers
// subscribe to the public key. The contract does not have it.
type PushKey struct {
	Rest
	PK         string `dynamodbav:"pk"`
	ItemType   string `dynamodbav:"itemType"`
	PublicKey  string `dynamodbav:"publicKey"`
	PrivateKey string `dynamodbav:"privateKey"` // sealed
	CreatedAt  Time   `dynamodbav:"createdAt"`
}
