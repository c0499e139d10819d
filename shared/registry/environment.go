package registry

import (
	"log/slog"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/settings"
)

// FromEnvironment opens the house in a function that may be the first to see a number. See Environment.
func FromEnvironment(db *dynamo.Client, logger *slog.Logger, getenv func(string) string) *messaging.Domain {
	return Open(Environment(db, logger, getenv))
}

// Environment returns what the house needs in a function that may be the first to see a number: it reads
// DEFAULT_TENANT. It ends the process if the variable is malformed. Decisions that depend on an index wait for two
// seconds, because an index is behind its table.
func Environment(db *dynamo.Client, logger *slog.Logger, getenv func(string) string) messaging.Config {
	tenant, err := settings.Tenant(getenv("DEFAULT_TENANT"))
	settings.Check(logger, "DEFAULT_TENANT", err)
	return messaging.Config{DB: db, Now: time.Now, DefaultTenant: tenant, IndexLag: 2 * time.Second}
}
