package webhooklog

import (
	"context"
	"log/slog"

	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Tell writes a line for each entry that AppendEach has appended, under the entry's id.
func Tell(ctx context.Context, log *slog.Logger, entries []whatsapp.Entry, isNew []bool) {
	for i, entry := range entries {
		line := "logged"
		if !isNew[i] {
			line = "logged before"
		}
		log.InfoContext(telemetry.WithCorrelation(ctx, entry.ID), line, "kind", entry.Kind, "malformed",
			entry.Malformed != "")
	}
}
