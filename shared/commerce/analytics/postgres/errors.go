package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/haatline/haatline/shared/commerce/analytics"
)

var (
	errDSN   = errors.New("ANALYTICS_DSN is no DSN of PostgreSQL")
	errToken = errors.New("no token for Aurora DSQL can be signed")
)

// unreadable is the failure to read the secret with the DSN. Its text names the secret and no value.
type unreadable struct{ error }

// classOf returns the class of a SQLSTATE: its first two characters.
func classOf(code string) string { return code[:min(2, len(code))] }

// outages are the classes of SQLSTATE that concern the database and not the rows: connections, a database that only
// reads, passwords and rights, tables, space and memory, a server that stops, its disks, and a conflict that does not
// end.
var outages = []string{"08", "25", "28", "3D", "40", "42", "53", "57", "58", "OC"}

// queryCanceled is the SQLSTATE of a statement that took too long, which may be a row's fault although its class is an
// outage.
const queryCanceled = "57014"

// codeOf returns the SQLSTATE of an error of the server; "" for any other error.
func codeOf(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// isConflict reports whether a transaction met another one, so that it may succeed when it is repeated: a failed
// serialisation, a deadlock, and what Aurora DSQL says of changed data (OC000) and of a changed schema (OC001).
func isConflict(err error) bool {
	code := codeOf(err)
	return code == "40001" || code == "40P01" || classOf(code) == "OC"
}

// isBroken reports whether the server did not answer, so that the connection is of no use.
func isBroken(err error) bool {
	return err != nil && codeOf(err) == "" && !errors.Is(err, errDSN) && !errors.Is(err, errToken) &&
		!errors.As(err, new(unreadable))
}

// plain returns an error as ErrRefused or ErrUnavailable. Errors of servers and drivers contain values of rows, hosts
// and users: of that the SQLSTATE and the constraint's name remain.
func plain(err error) error {
	var refused *pgconn.PgError
	var secret unreadable
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		kind, reason := analytics.ErrRefused, "SQLSTATE "+refused.Code
		if slices.Contains(outages, classOf(refused.Code)) && refused.Code != queryCanceled {
			kind = analytics.ErrUnavailable
		}
		if refused.ConstraintName != "" {
			reason += " of " + refused.ConstraintName
		}
		return fmt.Errorf("%w: %s", kind, reason)
	case errors.Is(err, errDSN), errors.Is(err, errToken), errors.As(err, &secret):
		return fmt.Errorf("%w: %w", analytics.ErrUnavailable, err)
	case pgconn.Timeout(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fmt.Errorf("%w: no answer in time", analytics.ErrUnavailable)
	case strings.Contains(err.Error(), "tls:"), strings.Contains(err.Error(), "x509:"):
		return fmt.Errorf("%w: no encrypted connection", analytics.ErrUnavailable)
	}
	return fmt.Errorf("%w: no connection", analytics.ErrUnavailable)
}
