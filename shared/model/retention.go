package model

import "time"

const (
	// LogRetention is how long an entry of the webhook log is kept.
	LogRetention = 30 * 24 * time.Hour
	// TombstoneLifetime is how long a tombstone is kept: some days longer than the entries of the log that could bring back what
	// was erased.
	TombstoneLifetime = LogRetention + 7*24*time.Hour
)
