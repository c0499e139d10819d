package model

// ItemEventSubscription is the item type of subscriptions.
const ItemEventSubscription = "EVENT_SUBSCRIPTION"

// EventSubscription is what of a tenant is told to one place outside, EVENT_SUBSCRIPTION#{tenantId}#{subscriptionId}.
// The contract does not have it.
type EventSubscription struct {
	Rest
	PK             string   `dynamodbav:"pk"`
	ItemType       string   `dynamodbav:"itemType"`
	TenantID       TenantID `dynamodbav:"tenantId"`
	SubscriptionID Name     `dynamodbav:"subscriptionId"`
	Description    string   `dynamodbav:"description,omitempty"`
	// URL is where the events are posted; "" if they go to the deployment's event bus.
	URL   string   `dynamodbav:"url,omitempty"`
	Kinds []string `dynamodbav:"kinds"` // of events, sorted
	// Secret signs what is posted, and FormerSecret beside it until FormerUntil. Both are sealed. SecretPrint tells one
	// secret from another without opening it.
	Secret       string `dynamodbav:"secret,omitempty"`
	SecretPrint  string `dynamodbav:"secretPrint,omitempty"`
	FormerSecret string `dynamodbav:"formerSecret,omitempty"`
	FormerUntil  Time   `dynamodbav:"formerUntil,omitempty"`
	CreatedAt    Time   `dynamodbav:"createdAt"`
	UpdatedAt    Time   `dynamodbav:"updatedAt"` // when a person has changed it last
	// ListensSince is since when every event is told; "" while the domains do not know of the subscription yet.
	ListensSince Time `dynamodbav:"listensSince,omitempty"`
	// DisabledAt is since when nothing is told, and DisabledBecause why: by_hand, failing or gone.
	DisabledAt      Time   `dynamodbav:"disabledAt,omitempty"`
	DisabledBecause string `dynamodbav:"disabledBecause,omitempty"`
	// FailingSince is when the first of the attempts failed that have failed in a row, and Failures counts them.
	// LastFailure says why the last one did, and LastAttempt which it was: an attempt is counted once.
	FailingSince Time   `dynamodbav:"failingSince,omitempty"`
	Failures     int64  `dynamodbav:"failures,omitempty"`
	LastFailure  string `dynamodbav:"lastFailure,omitempty"`
	LastAttempt  string `dynamodbav:"lastAttempt,omitempty"`
	// SlowUntil is until when it is told nothing at once, because its answers take long.
	SlowUntil Time  `dynamodbav:"slowUntil,omitempty"`
	Version   int64 `dynamodbav:"version"` // the optimistic lock
}

// Active reports whether a subscription is told events.
func (s EventSubscription) Active() bool { return s.DisabledAt == "" }

// Lock returns the version, the optimistic lock.
func (s *EventSubscription) Lock() *int64 { return &s.Version }
