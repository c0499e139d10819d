// Package database prepares the file of the local DynamoDB engine, so that the engine stays fast as the file grows.
//
// At every write the engine finds a stream's last sequence number by reading all stream records in its SQLite table,
// and it never trims that table. After 20,000 writes only a fifth of its speed is left. Two indexes that fit the
// engine's queries restore it.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // pure Go, so that nothing needs to be installed

	"github.com/haatline/haatline/shared/engine"
)

// indexes fit the engine's queries: a stream's next sequence number, and the first and last one of a shard.
var indexes = []string{
	`CREATE INDEX IF NOT EXISTS haatline_stream_next ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`,
	`CREATE INDEX IF NOT EXISTS haatline_stream_shard ON _stream_records (table_name, shard_id, sequence_number)`,
}

// Start adds the indexes to the file in the options and starts the engine. An engine without a file, which keeps
// everything in memory, needs none.
func Start(ctx context.Context, options engine.Options) (*engine.Engine, error) {
	if options.Path == "" {
		return engine.Start(ctx, options)
	}
	if _, err := os.Stat(options.Path); errors.Is(err, os.ErrNotExist) {
		first, err := engine.Start(ctx, options) // creates the engine's tables, within milliseconds
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

// addIndexes creates missing indexes in the file. No engine may be running on it.
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
