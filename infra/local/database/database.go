// Package database owns the file of the local DynamoDB engine: it adds what keeps the engine quick as the file grows.
//
// The engine finds a stream's last sequence number, at every write, by looking through all records of all streams in its
// own SQLite table, and never trims that table. After 20,000 writes it does a fifth of its first rate. Two indexes, which
// the engine's own queries fit, bring it back.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // in Go, so that nothing needs to be installed for it

	"github.com/haatline/haatline/shared/engine"
)

// indexes fit the engine's queries: the next sequence number of a table's stream, and the first and last of a shard.
var indexes = []string{
	`CREATE INDEX IF NOT EXISTS haatline_stream_next ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`,
	`CREATE INDEX IF NOT EXISTS haatline_stream_shard ON _stream_records (table_name, shard_id, sequence_number)`,
}

// Start starts the engine on the file of the options, which gets its indexes first. An engine without a file, which keeps
// everything in memory, is started as it is.
func Start(ctx context.Context, options engine.Options) (*engine.Engine, error) {
	if options.Path == "" {
		return engine.Start(ctx, options)
	}
	if _, err := os.Stat(options.Path); errors.Is(err, os.ErrNotExist) {
		first, err := engine.Start(ctx, options) // it makes its tables, in milliseconds
		if err != nil {
			return nil, err
		}
		first.Stop()
	}
	if err := addIndexes(ctx, options.Path); err != nil {
		return nil, fmt.Errorf("prepare %s: %w", options.Path, err)
	}
	return engine.Start(ctx, options)
}

// addIndexes makes the indexes that the file lacks. No engine may run on it.
func addIndexes(ctx context.Context, path string) error {
	file, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: path}).String())
	if err != nil {
		return err
	}
	defer file.Close()
	for _, index := range indexes {
		if _, err := file.ExecContext(ctx, index); err != nil {
			return err
		}
	}
	return file.Close() // writes everything into the file itself, which the engine opens next
}
