package companies

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/model"
)

// errNoVault means that a function deals with secrets and has not been given a vault.
var errNoVault = errors.New("no vault for the secrets of functions")

// owner returns the names of the owner of a project's secret.
func owner(tenant model.TenantID, company, project model.Name) map[string]string {
	return map[string]string{"tenant": string(tenant), "company": string(company), "project": string(project)}
}

// withSecret returns a project's function with its secret as it is stored. Without a secret it keeps the one that the
// project has, and a secret in clear, which a release before this one has stored, is sealed. It returns ErrSettings if
// there is none.
func (s *Companies) withSecret(ctx context.Context, asked conversationsmodel.Project,
	was *conversationsmodel.Function) (*conversationsmodel.Function, error) {
	if asked.Function == nil {
		return nil, nil
	}
	next, stored := *asked.Function, ""
	if was != nil {
		stored = was.Secret
	}
	if next.Secret == "" && stored == "" {
		return nil, wrong("function.secret", "a function has a secret")
	}
	if s.Vault == nil {
		return nil, errNoVault
	}
	c, err := s.Get(ctx, asked.Company)
	if err != nil {
		return nil, err
	}
	next.Secret, err = s.Vault.Seal(ctx, next.Secret, stored, owner(c.TenantID, asked.Company, asked.Project))
	if err != nil {
		return nil, fmt.Errorf("the secret of a project's function: %w", err)
	}
	return &next, nil
}

// SecretOf returns the secret of a function of the project that a conversation belongs to.
func (s *Companies) SecretOf(ctx context.Context, c conversationsmodel.Conversation,
	f conversationsmodel.Function) ([]byte, error) {
	if s.Vault == nil {
		return nil, errNoVault
	}
	secret, err := s.Vault.Open(ctx, f.Secret, owner(c.TenantID, c.CompanyID, c.ProjectID))
	return []byte(secret), err
}
