// Package settings checks environment variables. The deployment checks them before it builds anything, and every
// function checks its own at start, so that a wrong value is refused on a laptop as in AWS.
package settings

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// Check ends the process if err is not nil, after it has logged the variable and the reason. A function that started
// with a wrong setting would fail on every message instead.
func Check(logger *slog.Logger, variable string, err error) {
	if err != nil {
		logger.Error("a setting is wrong", "variable", variable, "error", err)
		os.Exit(1)
	}
}

// Tenant parses a tenant's id. An empty text returns an empty id.
func Tenant(text string) (model.TenantID, error) {
	if text == "" {
		return "", nil
	}
	id, err := model.Parse[model.TenantID](text)
	if err != nil || strings.ContainsAny(text, " \t\r\n,") { // these characters separate a token's groups
		return "", fmt.Errorf("%q is no id of a tenant", text)
	}
	return id, nil
}

// Duration parses a duration, such as 90s. An empty text returns 0.
func Duration(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 {
		return 0, fmt.Errorf("%q is no duration, such as 192h", text)
	}
	return length, nil
}

// Count parses a number that is not negative. An empty text returns 0.
func Count(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number, such as 20", text)
	}
	return n, nil
}

// Hosts parses names of hosts with commas between them, each with a port or without. An empty text returns none.
func Hosts(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	hosts := strings.Split(text, ",")
	for _, host := range hosts {
		link, err := url.Parse("https://" + host)
		if err != nil || link.Host != host || link.Hostname() == "" || strings.ContainsAny(host, " @*") {
			return nil, fmt.Errorf("%q is no host, such as api.acme.example", host)
		}
	}
	return hosts, nil
}
