package settings

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// Analytics says to which PostgreSQL database the orders of stores are copied. The zero value says none.
type Analytics struct {
	// DSN is the value of ANALYTICS_DSN: a reference to a secret, or the address of an Aurora DSQL cluster, which needs
	// no password.
	DSN string
	// Secret is the name of the secret that may be read; "" for none.
	Secret string
	// Cluster and Region are the Aurora DSQL cluster that may be signed in to; "" for none. Action is how.
	Cluster, Region, Action string
}

var (
	secretName = regexp.MustCompile(`^[A-Za-z0-9/_+=.@-]{1,512}$`)
	dsqlHost   = regexp.MustCompile(`^([a-z0-9]+)\.dsql\.([a-z0-9-]+)\.on\.aws$`)
)

var errAnalytics = errors.New(
	"analytics: it is neither the name of a secret with a DSN (-c analytics=acme/books, or acme/books#member) " +
		"nor an Aurora DSQL cluster (-c analytics=postgres://clerk@{cluster}.dsql.{region}.on.aws/postgres); a DSN " +
		"with a password belongs into a secret")

// parseAnalytics parses the context value analytics. Its error does not repeat the value, which may hold a password.
func parseAnalytics(text string) (Analytics, error) {
	if text == "" {
		return Analytics{}, nil
	}
	if !strings.Contains(text, ":") {
		name, member, several := strings.Cut(text, "#")
		if !secretName.MatchString(name) || several && !secretName.MatchString(member) {
			return Analytics{}, errAnalytics
		}
		return Analytics{DSN: "secretsmanager:" + text, Secret: name}, nil
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "postgres" && address.Scheme != "postgresql" || address.User.Username() == "" {
		return Analytics{}, errAnalytics
	}
	host := dsqlHost.FindStringSubmatch(address.Hostname())
	if _, password := address.User.Password(); password || host == nil {
		return Analytics{}, errAnalytics
	}
	action := "DbConnect"
	if address.User.Username() == "admin" {
		action = "DbConnectAdmin"
	}
	return Analytics{DSN: text, Cluster: host[1], Region: host[2], Action: action}, nil
}
