package model

import "time"

const (
	// LogRetention is how long an entry of the webhook log is stored.
	LogRetention = 30 * 24 * time.Hour
	// TombstoneLifetime is how long a tombstone is stored: some days longer than the log entries that could restore the
	// erased data.
	TombstoneLifetime = LogRetention + 7*24*time.Hour
)
