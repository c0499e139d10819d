package postgres

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// notInDSQL are the words that Aurora DSQL does not take.
var notInDSQL = regexp.MustCompile(
	`(?i)\b(SERIAL|BIGSERIAL|SEQUENCE|NEXTVAL|REFERENCES|FOREIGN|EXCLUDE|TRUNCATE|LOCK|ADVISORY|pg_advisory\w*|SET\s+(SESSION|LOCAL)|TEMP|TEMPORARY|TRIGGER|PARTITION|INHERITS|VACUUM|SAVEPOINT|json|jsonb|TYPE|EXTENSION|CONCURRENTLY|COLLATE|DESC|ASC|AS\s+SELECT|GENERATED|IDENTITY)\b|\[\]`)

// Every statement is one that Aurora DSQL takes. It could not be run here.
func TestTheStatementsKeepToWhatDSQLTakes(t *testing.T) {
	all := []string{versions, deleteLines, upsertOrders(2), insert("order_lines", lineColumns, 2)}
	for _, migration := range migrations {
		all = append(all, statement(migration, true))
	}
	bare := regexp.MustCompile(`(?i)numeric\s*[^( ]|numeric\s*$`)
	for _, sql := range all {
		if found := notInDSQL.FindString(sql); found != "" || strings.Contains(sql, ";") || strings.Contains(sql, "{") {
			t.Errorf("%q in %s", found, sql)
		}
		if bare.MatchString(sql) {
			t.Errorf("numeric without a precision is numeric(18,6): %s", sql)
		}
		if isIndex := strings.HasPrefix(sql, "CREATE INDEX"); isIndex != strings.HasPrefix(sql,
			"CREATE INDEX ASYNC IF NOT EXISTS ") {
			t.Errorf("an index that is not made by itself: %s", sql)
		}
		if ddl := regexp.MustCompile(`\b(CREATE|ALTER|DROP)\b`).FindAllString(sql, -1); len(ddl) > 1 ||
			len(ddl) == 1 && !strings.Contains(sql, "IF NOT EXISTS") {
			t.Errorf("a migration is one statement that can be repeated: %s", sql)
		}
	}
	for _, migration := range migrations {
		if plain := statement(migration, false); strings.Contains(plain, "ASYNC") || strings.Contains(plain, "{") {
			t.Error(plain)
		}
	}
}

// A cluster of Aurora DSQL is signed in to with a token of the function's role, and never without encryption.
func TestDSQLIsSignedInToWithAToken(t *testing.T) {
	const host = "abc123.dsql.ap-south-1.on.aws"
	env := map[string]string{
		"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "session",
		"AWS_REGION": "eu-west-1"}
	d := Database{getenv: func(name string) string { return env[name] }}
	for dsn, action := range map[string]string{
		"postgres://clerk@" + host:                               "DbConnect",
		"postgres://admin@" + host + "/postgres?sslmode=disable": "DbConnectAdmin",
	} {
		config, err := d.config(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		if config.TLSConfig == nil || config.TLSConfig.InsecureSkipVerify || config.TLSConfig.ServerName != host ||
			len(config.Fallbacks) > 0 || config.Database != "postgres" {
			t.Errorf("%s: %+v", dsn, config.TLSConfig)
		}
		token, err := url.Parse("https://" + config.Password)
		if err != nil || token.Host != host {
			t.Fatalf("%q, %v", config.Password, err)
		}
		for name, want := range map[string]string{
			"Action": action, "X-Amz-Expires": "300", "X-Amz-Security-Token": "session",
			"X-Amz-Algorithm": "AWS4-HMAC-SHA256"} {
			if got := token.Query().Get(name); got != want {
				t.Errorf("%s is %q", name, got)
			}
		}
		if scope := token.Query().Get("X-Amz-Credential"); !strings.HasPrefix(scope, "AKID/") ||
			!strings.HasSuffix(scope, "/ap-south-1/dsql/aws4_request") ||
			len(token.Query().Get("X-Amz-Signature")) != 64 {
			t.Errorf("%s", config.Password)
		}
	}
	one, _ := d.token(t.Context(), host, "DbConnect", time.Unix(1_800_000_000, 0))
	two, _ := d.token(t.Context(), host, "DbConnect", time.Unix(1_800_000_000, 0))
	if one != two || isDSQL("dsql.ap-south-1.on.aws.example") || isDSQL("a.b.dsql.ap-south-1.on.aws") {
		t.Error("another host gets a token")
	}
}

// A connection to another machine is never unencrypted because nobody said how to encrypt.
func TestOtherMachinesAreReachedEncrypted(t *testing.T) {
	for dsn, want := range map[string]bool{
		"postgres://books.example/x": true, "postgres://books.example/x?sslmode=prefer": true,
		"postgres://10.0.0.7/x":                      true,
		"postgres://books.example/x?sslmode=disable": false, "postgres://127.0.0.1/x": false,
		"postgres://localhost/x":  false,
		"postgres:///x?host=/tmp": false,
	} {
		config, err := pgx.ParseConfig(dsn)
		if err != nil {
			t.Fatal(err)
		}
		encrypt(config)
		plain := config.TLSConfig == nil
		for _, fallback := range config.Fallbacks {
			plain = plain || fallback.TLSConfig == nil
		}
		if plain == want {
			t.Errorf("%s: unencrypted is %v", dsn, plain)
		}
	}
}
