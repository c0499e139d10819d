package export

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// tenantsOf reads the tenants that a token's groups name. The API judges the token; here it only says what to ask for.
func tenantsOf(token string) ([]string, error) {
	var claims struct {
		Groups []string `json:"cognito:groups"`
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("the token is no access token")
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return nil, errors.New("the token is no access token")
	}
	var tenants []string
	for _, group := range claims.Groups {
		if tenant, ok := strings.CutPrefix(group, "tenant:"); ok {
			tenants = append(tenants, tenant)
		}
	}
	if len(tenants) == 0 {
		return nil, errors.New(
			"the token's bearer is no tenant's: put them into the group tenant:… (make operator), and sign in again")
	}
	return tenants, nil
}

// cannot says what could not be done, where there is an error.
func cannot(do string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", do, err)
}
