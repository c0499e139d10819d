package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// migrations are the versions of the schema, from 1. Each is one statement that can be repeated, because Aurora DSQL
// takes one in a transaction. A migration that was released does not change: a new one is added. {async} stands for
// what only Aurora DSQL writes.
//
// The names are without a schema: they go to the first schema of the role's search path, by default the one with the
// role's name.
var migrations = []string{
	`CREATE TABLE IF NOT EXISTS orders (
		store_id text NOT NULL,
		order_id text NOT NULL,
		version bigint NOT NULL,
		tenant_id text NOT NULL,
		customer_id text,
		status text NOT NULL,
		channel text NOT NULL,
		language text NOT NULL,
		payment_method text NOT NULL,
		total_amount numeric(38, 12) NOT NULL,
		order_date date,
		created_at timestamptz,
		updated_at timestamptz,
		deleted_at timestamptz,
		expired boolean NOT NULL,
		PRIMARY KEY (store_id, order_id)
	)`,
	`CREATE TABLE IF NOT EXISTS order_lines (
		store_id text NOT NULL,
		order_id text NOT NULL,
		line_number integer NOT NULL,
		product_id text NOT NULL,
		sku text NOT NULL,
		name text NOT NULL,
		unit text NOT NULL,
		quantity numeric(38, 12) NOT NULL,
		price numeric(38, 12) NOT NULL,
		amount numeric(38, 12) NOT NULL,
		PRIMARY KEY (store_id, order_id, line_number)
	)`,
	`CREATE INDEX {async} IF NOT EXISTS orders_by_day ON orders (store_id, order_date)`,
	`CREATE INDEX {async} IF NOT EXISTS order_lines_by_product ON order_lines (store_id, product_id)`,
}

// versions is the table of the migrations that were made.
const versions = `CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, applied_at ` +
	`timestamptz NOT NULL)`

// statement returns a migration as a database writes it.
func statement(migration string, dsql bool) string {
	async := ""
	if dsql {
		async = "ASYNC "
	}
	return strings.Replace(migration, "{async} ", async, 1)
}

// migrate brings the schema up to date. Several processes may do so at once: every statement can be repeated. A later
// version of the schema than this program knows is left as it is.
func migrate(ctx context.Context, conn *pgx.Conn, dsql bool) error {
	var done int
	err := repeat(ctx, func() error {
		err := conn.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM schema_migrations`).Scan(&done)
		if codeOf(err) == undefinedTable {
			_, err = conn.Exec(ctx, versions)
		}
		return err
	})
	for version := done; err == nil && version < len(migrations); version++ {
		err = repeat(ctx, func() error { return execute(ctx, conn, statement(migrations[version], dsql)) })
		if err == nil {
			err = repeat(ctx, func() error {
				return execute(ctx, conn,
					`INSERT INTO schema_migrations (version, applied_at) VALUES ($1, now()) ON CONFLICT `+
						`(version) DO NOTHING`, version+1)
			})
		}
	}
	return err
}

func execute(ctx context.Context, conn *pgx.Conn, sql string, arguments ...any) error {
	_, err := conn.Exec(ctx, sql, arguments...)
	return err
}

// undefinedTable is the SQLSTATE of a table that is not there.
const undefinedTable = "42P01"

// madeMeanwhile are the SQLSTATEs by which IF NOT EXISTS fails where another process makes the same at the same time.
var madeMeanwhile = map[string]bool{"23505": true, "42P07": true, "42710": true, "XX000": true}

// repeat repeats a step of the migration that met another process.
func repeat(ctx context.Context, do func() error) error {
	for attempt := 0; ; attempt++ {
		err := do()
		if met := isConflict(err) || madeMeanwhile[codeOf(err)]; !met || attempt == maxAttempts || !wait(ctx, attempt) {
			return err
		}
	}
}
