// Package companies owns the companies that have conversations, and their projects: what they are called, by which
// addresses they write, and what a project's conversations begin with.
package companies

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sealing"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of a company or a project may break.
var (
	ErrTaken    = errors.New("the company's id is taken")
	ErrStale    = errors.New("changed since it was read")
	ErrNumber   = errors.New("the company cannot have the number")
	ErrSettings = errors.New("the settings are wrong")
)

// Numbers knows the WhatsApp numbers of tenants. tenancy.Numbers implements it.
type Numbers interface {
	Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error)
	CompanyWrite(phone model.PhoneNumberID, tenant model.TenantID, company model.Name, has bool) dynamo.Update
}

// Companies reads and writes companies and projects.
type Companies struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Numbers Numbers
	Vault   sealing.Vault // nil in functions that neither store nor call the functions of projects
}

// Ref refers to a company.
func Ref(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Conversations, Key: keys.Company(id)}
}

// ProjectRef refers to a project.
func ProjectRef(company, id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Conversations, Key: keys.Project(company, id)}
}

// Get returns a company, or dynamo.ErrNotFound.
func (s *Companies) Get(ctx context.Context, id model.Name) (c conversationsmodel.Company, err error) {
	return c, s.DB.Get(ctx, tables.Conversations, keys.Company(id), &c)
}

// WhatsAppOf returns the WhatsApp number of a tenant's company; "" if it has none.
func (s *Companies) WhatsAppOf(ctx context.Context, tenant model.TenantID,
	id model.Name) (model.PhoneNumberID, error) {
	c, err := s.Get(ctx, id)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("the number of a company: %w", err)
	case c.TenantID != tenant:
		return "", nil // the sender has moved to another tenant at this moment
	}
	return c.PhoneNumberID, nil
}

// Project returns a project of a company, or dynamo.ErrNotFound.
func (s *Companies) Project(ctx context.Context, company, id model.Name) (p conversationsmodel.Project, err error) {
	return p, s.DB.Get(ctx, tables.Conversations, keys.Project(company, id), &p)
}

// ListOf returns up to limit ids of a tenant's companies after an id.
func (s *Companies) ListOf(ctx context.Context, tenant model.TenantID, limit int, after model.Name) ([]model.Name,
	error) {
	q := dynamo.Query{
		Table: tables.Conversations, Where: "primary_channel = :p", Limit: int32(limit),
		Values: dynamo.Item{":p": dynamo.S(keys.CompaniesOf(tenant))}}
	if after != "" {
		q.After = keyItem(keys.CompanyOf(tenant, after))
	}
	page, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list companies: %w", err)
	}
	var all []model.Name
	for _, item := range page.Items {
		all = append(all, model.Name(dynamo.Text(item, "conversation_id")))
	}
	return all, nil
}

// Projects returns up to limit projects of a company after an id.
func (s *Companies) Projects(ctx context.Context, company model.Name, limit int,
	after model.Name) ([]conversationsmodel.Project, error) {
	q := dynamo.Query{
		Table: tables.Conversations, Where: "primary_channel = :p AND begins_with(conversation_id, :projects)",
		Limit: int32(limit),
		Values: dynamo.Item{
			":p": dynamo.S(keys.Company(company).Partition), ":projects": dynamo.S(keys.ProjectPrefix)}}
	if after != "" {
		q.After = keyItem(keys.Project(company, after))
	}
	rows, _, err := dynamo.PageOf[conversationsmodel.Project](ctx, s.DB, q)
	return rows, err
}

func keyItem(key keys.Key) dynamo.Item {
	return dynamo.Item{key.PartitionName: dynamo.S(key.Partition), key.SortName: dynamo.S(key.Sort)}
}

// Create creates a company. A request that is repeated finds what it has made. It returns ErrTaken, ErrNumber and
// ErrSettings.
func (s *Companies) Create(ctx context.Context,
	asked conversationsmodel.Company) (made conversationsmodel.Company, err error) {
	asked.SetKey()
	list := keys.CompanyOf(asked.TenantID, asked.Company)
	listed := dynamo.Put{
		Table: tables.Conversations, If: "attribute_not_exists(primary_channel)", Item: keyItem(list)}
	return made, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		there, err := s.Get(ctx, asked.Company)
		if errors.Is(err, dynamo.ErrNotFound) {
			made = asked
			return s.write(ctx, conversationsmodel.Company{}, &made, listed)
		}
		if err != nil {
			return err
		}
		made = asked
		made.UpdatedAt, made.Version, made.PhoneNumberID, made.FormerNumbers = there.UpdatedAt, there.Version,
			there.PhoneNumberID, there.FormerNumbers
		if there.TenantID == asked.TenantID && dynamo.StoredAlike(there, made) {
			return nil
		}
		return problem.Breaks(ErrTaken, "company-id-taken", "Company id taken",
			"There is a company with the id %s. Choose another one.", asked.Company)
	})
}

// Update replaces what a caller may set of a company. Its condition is the version that the caller has read. It returns
// ErrStale, ErrNumber and ErrSettings.
func (s *Companies) Update(ctx context.Context, id model.Name, version int64,
	set func(c *conversationsmodel.Company)) (next conversationsmodel.Company, err error) {
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		next = was
		set(&next)
		if err := s.complete(ctx, was, &next); err != nil {
			return err
		}
		if dynamo.StoredAlike(was, next) {
			return nil // a repeated request
		}
		if was.Version != version {
			return stale(was.Version)
		}
		return s.write(ctx, was, &next)
	})
}

func stale(version int64) error {
	return problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
		"The version is %d by now. Read it again.", version)
}

// write stores a company, and what its WhatsApp number serves, together with other writes. It returns
// dynamo.ErrConflict if the company has changed.
func (s *Companies) write(ctx context.Context, was conversationsmodel.Company, next *conversationsmodel.Company,
	more ...dynamo.Write) error {
	if err := s.complete(ctx, was, next); err != nil {
		return err
	}
	next.UpdatedAt = model.At(s.Now())
	put, err := dynamo.PutVersion(tables.Conversations, next)
	if err != nil {
		return err
	}
	claims, err := s.claims(ctx, was, *next)
	if err != nil {
		return err
	}
	writes := append(append(mailboxWrites(was, *next), more...), put)
	first := len(writes)
	for _, c := range claims {
		writes = append(writes, c.Update)
	}
	err = mailboxTaken(s.DB.Transact(ctx, writes), *next)
	var cancelled *dynamo.TransactionCancelled
	if !errors.As(err, &cancelled) {
		return dynamo.Conflict(err)
	}
	for i, c := range claims {
		if c.field != "" && cancelled.Of(first+i).Failed() {
			return taken(c.field, cancelled.Of(first+i).Item)
		}
	}
	return dynamo.Conflict(err)
}

// SetProject stores a project. Its condition is the version that the caller has read, 0 for a new project. A function
// without a secret keeps the one that the project has. It returns ErrStale and ErrSettings.
func (s *Companies) SetProject(ctx context.Context, asked conversationsmodel.Project,
	version int64) (next conversationsmodel.Project, err error) {
	if err := CheckProject(asked); err != nil {
		return asked, err
	}
	asked.SetKey()
	return next, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := s.Project(ctx, asked.Company, asked.Project)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		next = asked
		if next.Function, err = s.withSecret(ctx, asked, was.Function); err != nil {
			return err
		}
		next.UpdatedAt, next.Version, next.Rest = was.UpdatedAt, was.Version, was.Rest
		if was.Version > 0 && dynamo.StoredAlike(was, next) {
			return nil // a repeated request
		}
		if was.Version != version {
			return stale(was.Version)
		}
		next.UpdatedAt = model.At(s.Now())
		put, err := dynamo.PutVersion(tables.Conversations, &next)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Put(ctx, put))
	})
}

// These returns companies by their ids, in their order. It leaves out one that is not there.
func (s *Companies) These(ctx context.Context, ids []model.Name) ([]conversationsmodel.Company, error) {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = Ref(id)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	var all []conversationsmodel.Company
	for _, ref := range refs {
		var c conversationsmodel.Company
		if item := ref.Found(found); item == nil {
			continue
		} else if err := dynamo.Unmarshal(item, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
