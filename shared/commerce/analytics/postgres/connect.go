package postgres

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/jackc/pgx/v5"

	"github.com/haatline/haatline/shared/awsenv"
)

const (
	connectTimeout = 3 * time.Second
	// idle is how long a connection is taken for alive. Between two invocations the process is frozen, and its
	// connections may die.
	idle        = 20 * time.Second
	pingTimeout = time.Second
)

// connected does something with the connection, which it makes if there is none, with a schema that is up to date.
func (d *Database) connected(ctx context.Context, do func(*pgx.Conn) error) error {
	if err := d.connect(ctx); err != nil {
		return err
	}
	if !d.migrated {
		if err := migrate(ctx, d.conn, isDSQL(d.conn.Config().Host)); err != nil {
			return d.after(err)
		}
		d.migrated = true
	}
	return d.after(do(d.conn))
}

// after notes how the connection is after it was used.
func (d *Database) after(err error) error {
	if d.conn.IsClosed() || isBroken(err) {
		d.close()
	} else {
		d.used = time.Now()
	}
	return err
}

func (d *Database) close() {
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	_ = d.conn.Close(ctx)
	d.conn = nil
}

func (d *Database) connect(ctx context.Context) error {
	if d.conn != nil {
		if time.Since(d.used) < idle {
			return nil
		}
		soon, cancel := context.WithTimeout(ctx, pingTimeout)
		defer cancel()
		if d.conn.Ping(soon) == nil {
			return nil
		}
		d.close()
	}
	dsn, err := d.dsn.Get(ctx)
	if err != nil {
		return unreadable{err}
	}
	config, err := d.config(ctx, dsn)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		d.dsn.Expire() // the password may have changed
		return err
	}
	d.conn, d.used = conn, time.Now()
	return nil
}

// config returns the configuration of a connection. Its error contains nothing of the DSN.
func (d *Database) config(ctx context.Context, dsn string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errDSN
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // statements need one round trip, and pass through poolers
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if isDSQL(config.Host) {
		return config, d.signIn(ctx, config)
	}
	encrypt(config)
	return config, nil
}

// encrypt leaves out the unencrypted attempt that sslmode=prefer, which is the default, allows, unless the server is on
// this machine. sslmode=disable stays what it says.
func encrypt(config *pgx.ConnConfig) {
	if config.TLSConfig == nil || isLocal(config.Host) {
		return
	}
	encrypted := config.Fallbacks[:0]
	for _, fallback := range config.Fallbacks {
		if fallback.TLSConfig != nil || isLocal(fallback.Host) {
			encrypted = append(encrypted, fallback)
		}
	}
	config.Fallbacks = encrypted
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || ip != nil && ip.IsLoopback()
}

// dsqlHost is the form of the address of an Aurora DSQL cluster.
var dsqlHost = regexp.MustCompile(`^[a-z0-9]+\.dsql\.([a-z0-9-]+)\.on\.aws$`)

func isDSQL(host string) bool { return dsqlHost.MatchString(host) }

// tokenTime is how long a token of Aurora DSQL can be used to connect.
const tokenTime = "300"

// signIn gives a configuration what Aurora DSQL needs: a verified certificate, and a token of the function's role as
// password.
func (d *Database) signIn(ctx context.Context, config *pgx.ConnConfig) error {
	config.TLSConfig = &tls.Config{ServerName: config.Host, MinVersion: tls.VersionTLS12}
	config.Fallbacks = nil
	if config.Database == "" {
		config.Database = "postgres"
	}
	action := "DbConnect"
	if config.User == "admin" {
		action = "DbConnectAdmin"
	}
	token, err := d.token(ctx, config.Host, action, time.Now())
	if err != nil {
		return errToken
	}
	config.Password = token
	return nil
}

// emptyHash is the SHA-256 of an empty body.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// token returns a signed request for an action on a cluster, without its scheme: that is what Aurora DSQL takes for a
// password.
func (d *Database) token(ctx context.Context, host, action string, now time.Time) (string, error) {
	query := url.Values{"Action": {action}, "X-Amz-Expires": {tokenTime}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+"/?"+query.Encode(), nil)
	if err != nil {
		return "", err
	}
	credentials := awsenv.Credentials(d.getenv)
	signed, _, err := v4.NewSigner().PresignHTTP(ctx, credentials, request, emptyHash, "dsql",
		dsqlHost.FindStringSubmatch(host)[1], now)
	return strings.TrimPrefix(signed, "https://"), err
}
