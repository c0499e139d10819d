// Package settings owns what a function's variables must hold. The deployment checks them before anything is built, and
// every function checks its own as it starts, so that a wrong one is refused on a laptop as it is in AWS.
package settings

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// Check ends the process where a variable is wrong, after a line that says which and why: a function that started with it
// would fail message by message.
func Check(logger *slog.Logger, variable string, err error) {
	if err != nil {
		logger.Error("a setting is wrong", "variable", variable, "error", err)
		os.Exit(1)
	}
}

// Tenant reads the id of a tenant. None is none.
func Tenant(text string) (model.TenantID, error) {
	if text == "" {
		return "", nil
	}
	id, err := model.Parse[model.TenantID](text)
	if err != nil || strings.ContainsAny(text, " \t\r\n,") { // a token's groups are taken apart there
		return "", fmt.Errorf("%q is no id of a tenant", text)
	}
	return id, nil
}

// Duration reads a length of time. None is 0.
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
