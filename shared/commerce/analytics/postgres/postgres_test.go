package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/analytics/pgtest"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

func TestTheLatestVersionOfAnOrderIsKept(t *testing.T) {
	dsn := pgtest.Database(t)
	d := database(dsn)
	odd := order(3, 1, "0.333", "12345678901234567890.5")
	odd.Date, odd.CreatedAt, odd.CustomerID, odd.Lines[0].Name = "no day", "no time", "", "Salt\x00\xff"
	put(t, d, order(1, 1, "2"), order(2, 1), odd)
	put(t, d, order(1, 3, "4", "1"), order(2, 1, "9")) // one is news, the other is not
	put(t, d, order(1, 2, "7"))
	gone := order(2, 2)
	gone.DeletedAt = "2026-11-22T12:00:00.000Z"
	put(t, d, gone)
	put(t, d, order(2, 1), order(1, 3, "4", "1"))
	if diff := cmp.Diff(strings.Join([]string{
		"1 3 pending 125 CUST-AB12CD34 2026-11-21: 4 Tata Salt, 1 Tata Salt",
		"2 2 pending 0 CUST-AB12CD34 2026-11-21 deleted:",
		"3 1 pending 308641972530864197270.825 - -: 0.333 Salt\uFFFD, 12345678901234567890.5 Tata Salt",
	}, "\n"), contents(t, dsn)); diff != "" {
		t.Error(diff)
	}
}

// One order that is refused holds up no other, whatever the reason, and the reason says nothing of it.
func TestOnlyTheOrderAtFaultIsRefused(t *testing.T) {
	dsn := pgtest.Database(t)
	d := database(dsn)
	put(t, d, order(0, 1))
	pgtest.Exec(t, dsn, `ALTER TABLE order_lines ADD CONSTRAINT few CHECK (quantity < 100)`)
	orders := []commercemodel.AnalyticsOrder{
		order(1, 1, "1"), order(2, 1, "2"), order(3, 1, "300"), order(4, 1, "4"), order(5, 1, strings.Repeat("9", 40))}
	for i, err := range d.Put(t.Context(), orders) {
		bad := i == 2 || i == 4
		if errors.Is(err, analytics.ErrRefused) != bad || !bad && err != nil {
			t.Errorf("order %d: %v", i+1, err)
		}
		if err != nil && (strings.Contains(err.Error(), "Salt") || strings.Contains(err.Error(), "ORD-")) {
			t.Errorf("the order is told: %v", err)
		}
	}
	if got := contents(t, dsn); strings.Count(got, "\n") != 3 || strings.Contains(got, "300") {
		t.Error(got)
	}
}

// An order that somebody else has locked waits alone.
func TestALockedOrderHoldsUpNoOther(t *testing.T) {
	dsn := pgtest.Database(t)
	d := database(dsn)
	put(t, d, order(1, 1), order(2, 1), order(3, 1))
	locked, err := pgtest.Connect(t, dsn).Begin(t.Context())
	if err == nil {
		_, err = locked.Exec(t.Context(), `SELECT * FROM orders WHERE order_id LIKE '%2' FOR UPDATE`)
	}
	if err != nil {
		t.Fatal(err)
	}
	failures := d.Put(t.Context(), []commercemodel.AnalyticsOrder{order(1, 2), order(2, 2), order(3, 2)})
	if failures[0] != nil || failures[2] != nil || !errors.Is(failures[1], analytics.ErrRefused) {
		t.Errorf("%v", failures)
	}
	if err := locked.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, d, order(2, 2))
}

// raising is a trigger that raises a SQLSTATE so many times.
func raising(code, times string) []string {
	return []string{
		`CREATE SEQUENCE raised`,
		`CREATE FUNCTION raise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('raised') <= ` + times + ` THEN RAISE EXCEPTION 'Tata Salt' USING ERRCODE = '` + code + `'; END IF; RETURN NEW; END $$`,
		`CREATE TRIGGER raise BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION raise()`,
	}
}

// The database's answer decides whether an order is at fault, or the database, or nobody.
func TestWhatTheDatabaseSaysDecides(t *testing.T) {
	for code, c := range map[string]struct {
		times string
		want  error
	}{
		// another transaction was faster
		"40001": {"3", nil}, "40P01": {"1", nil}, "OC000": {"2", nil}, "OC001": {"1", nil},
		"53100": {"1", analytics.ErrUnavailable}, "53200": {"1", analytics.ErrUnavailable},
		"57P03": {"1", analytics.ErrUnavailable},
		"25006": {"1", analytics.ErrUnavailable}, "42501": {"1", analytics.ErrUnavailable},
		"58030": {"1", analytics.ErrUnavailable},
		"22003": {"1", analytics.ErrRefused}, "23514": {"1", analytics.ErrRefused},
		"P0001": {"1", analytics.ErrRefused}, "57014": {"1", analytics.ErrRefused},
		"XX000": {"1", analytics.ErrRefused},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.Database(t)
			d := database(dsn)
			put(t, d, order(0, 1))
			pgtest.Exec(t, dsn, raising(code, c.times)...)
			err := d.Put(t.Context(), []commercemodel.AnalyticsOrder{order(1, 1, "1")})[0]
			if kindOf(err) != c.want ||
				err != nil && (!strings.Contains(err.Error(), code) || strings.Contains(err.Error(), "Salt")) {
				t.Errorf("%v", err)
			}
			put(t, d, order(1, 1, "1"))
		})
	}
	t.Run("without an end", func(t *testing.T) {
		dsn := pgtest.Database(t)
		d := database(dsn)
		put(t, d, order(0, 1))
		pgtest.Exec(t, dsn, raising("40001", "1000")...)
		if err := d.Put(t.Context(), []commercemodel.AnalyticsOrder{order(1, 1)})[0]; !errors.Is(err,
			analytics.ErrUnavailable) {
			t.Error(err)
		}
	})
}

// A database that is slow or away takes no longer than it is given, is left alone for a while, and is used again.
func TestADatabaseThatDoesNotAnswerIsLeftAlone(t *testing.T) {
	dsn := pgtest.Database(t)
	d := database(dsn)
	put(t, d, order(1, 1))
	pgtest.Exec(t, dsn,
		`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`,
		`CREATE TRIGGER slow BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION slow()`)
	d.pause = time.Hour
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := d.Put(ctx, []commercemodel.AnalyticsOrder{order(1, 2)})[0]; !errors.Is(err, analytics.ErrUnavailable) ||
		!strings.Contains(err.Error(), "in time") {
		t.Error(err)
	}
	pgtest.Exec(t, dsn, `ALTER TABLE orders DISABLE TRIGGER slow`)
	if err := d.Put(t.Context(), []commercemodel.AnalyticsOrder{order(1, 2)})[0]; !errors.Is(err,
		analytics.ErrUnavailable) {
		t.Errorf("it was asked again: %v", err)
	}
	soon(t, begun, 40*time.Second)
	d.downUntil = time.Time{}
	put(t, d, order(1, 2))
	// A connection that has died meanwhile is made again.
	for _, later := range []time.Duration{0, idle} {
		d.used = d.used.Add(-later)
		pgtest.Exec(t, dsn,
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> `+
				`pg_backend_pid()`)
		put(t, d, order(1, 3))
	}
}

// If the database cannot be reached, the error says so, and holds neither password nor host nor user.
func TestAnErrorHoldsNothingOfTheDSN(t *testing.T) {
	for dsn, reason := range map[string]string{
		"postgres://clerk:hunter2@127.0.0.1:1/books":                                "no connection",
		"postgres://clerk:hunter2@127.0.0.1:1/books?sslmode=verify-full":            "no connection",
		"postgres://clerk:hunter2@[/books":                                          errDSN.Error(),
		"postgres://clerk:hunter2%zz@books.example/books":                           errDSN.Error(),
		"host=books.example password='hunter2":                                      errDSN.Error(),
		"postgres://clerk:hunter2@127.0.0.1:1/books?sslrootcert=/hunter2":           errDSN.Error(),
		"postgres://clerk:hunter2@127.0.0.1:port/books":                             errDSN.Error(),
		"secretsmanager:haatline/none":                                              "secret haatline/none",
		strings.Replace(pgtest.Database(t), "haatline@/", "clerk:hunter2@/gone", 1): "SQLSTATE",
	} {
		d := database(dsn, "AWS_ENDPOINT_URL_SECRETS_MANAGER", "http://127.0.0.1:1", "AWS_REGION", "ap-south-1",
			"AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "hunter2")
		err := d.Put(t.Context(), []commercemodel.AnalyticsOrder{order(1, 1)})[0]
		if !errors.Is(err, analytics.ErrUnavailable) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%v, want %s", err, reason)
		}
		for _, private := range []string{"hunter2", "clerk", "books"} {
			if strings.Contains(err.Error(), private) {
				t.Errorf("it is told: %v", err)
			}
		}
	}
	if Open(func(string) string { return "" }) != nil {
		t.Error("there is a database without a DSN")
	}
}

func TestSeveralProcessesMakeTheSchemaAtOnce(t *testing.T) {
	dsn := pgtest.Database(t)
	var processes sync.WaitGroup
	for n := range 6 {
		processes.Go(func() {
			if err := errors.Join(
				database(dsn).Put(t.Context(),
					[]commercemodel.AnalyticsOrder{order(n, 1, "1"), order(9, int64(n+1), "1")})...); err != nil {
				t.Error(err)
			}
		})
	}
	processes.Wait()
	var versions, indexes int
	row := pgtest.Connect(t, dsn).QueryRow(t.Context(),
		`SELECT (SELECT count(*) FROM schema_migrations), (SELECT count(*) FROM pg_indexes WHERE schemaname `+
			`= 'public')`)
	if err := row.Scan(&versions, &indexes); err != nil || versions != len(migrations) || indexes != 5 {
		t.Errorf("%d versions, %d indexes, %v", versions, indexes, err)
	}
	if got := contents(t, dsn); strings.Count(got, "\n") != 6 || !strings.Contains(got, "9 6 pending") {
		t.Error(got)
	}
	// a later version of haatline was here
	pgtest.Exec(t, dsn, `INSERT INTO schema_migrations VALUES (1000, now())`, `ALTER TABLE orders ADD COLUMN city text`)
	put(t, database(dsn), order(8, 1, "1"))
}

// An order of very many lines is a transaction of its own, and many orders are some transactions.
func TestOrdersAreWrittenInTransactionsThatDSQLTakes(t *testing.T) {
	dsn := pgtest.Database(t)
	d := database(dsn)
	var many []commercemodel.AnalyticsOrder
	for n := range 30 {
		many = append(many, order(n, 1, lines(100)...))
	}
	for at := 0; at < len(many); {
		size := chunk(many[at:])
		if size < 1 || size*201 > maxRows {
			t.Fatalf("%d orders in one transaction", size)
		}
		at += size
	}
	put(t, d, many...)
	var stored int
	if err := pgtest.Connect(t, dsn).QueryRow(t.Context(),
		`SELECT count(*) FROM order_lines`).Scan(&stored); err != nil || stored != 3000 {
		t.Errorf("%d lines, %v", stored, err)
	}
	if got := chunk([]commercemodel.AnalyticsOrder{order(1, 1, lines(2000)...), order(2, 1)}); got != 1 {
		t.Errorf("%d orders", got)
	}
}

// lines are the quantities of so many lines.
func lines(n int) []string { return slices.Repeat([]string{"1"}, n) }
