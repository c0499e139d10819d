package teamwork

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// maxFilters bounds the filters that a colleague keeps.
const maxFilters = 50

// ErrTooManyFilters means that a colleague has as many filters as are kept.
var ErrTooManyFilters = problem.New("too many filters", problem.Error{
	Class: problem.Conflict, Code: "too-many-filters", Title: "Too many filters",
	Detail: "50 filters of a person are kept. Remove one first."})

// Filters lists the filters that a colleague has saved, by name.
func (s *Teamwork) Filters(ctx context.Context, tenant model.TenantID,
	subject model.Name) ([]model.SavedFilter, error) {
	var f model.SavedFilters
	err := s.DB.Get(ctx, tables.Messages, keys.SavedFilters(tenant, subject), &f)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, nil
	}
	return f.Filters, err
}

// PutFilter saves a filter of a colleague in place of the one with its name. It returns ErrTooManyFilters. Its
// condition is that the filters are as they were read.
func (s *Teamwork) PutFilter(ctx context.Context, tenant model.TenantID, subject model.Name,
	filter model.SavedFilter) error {
	return s.changeFilters(ctx, tenant, subject, func(all []model.SavedFilter) ([]model.SavedFilter, error) {
		all = append(without(all, filter.Name), filter)
		if len(all) > maxFilters {
			return nil, ErrTooManyFilters
		}
		slices.SortFunc(all, func(a, b model.SavedFilter) int { return cmp.Compare(a.Name, b.Name) })
		return all, nil
	})
}

// RemoveFilter removes a filter of a colleague, if it is there. Its condition is that the filters are as they were
// read.
func (s *Teamwork) RemoveFilter(ctx context.Context, tenant model.TenantID, subject, name model.Name) error {
	return s.changeFilters(ctx, tenant, subject, func(all []model.SavedFilter) ([]model.SavedFilter, error) {
		return without(all, name), nil
	})
}

func (s *Teamwork) changeFilters(ctx context.Context, tenant model.TenantID, subject model.Name,
	change func([]model.SavedFilter) ([]model.SavedFilter, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.SavedFilters(tenant, subject),
		func(f *model.SavedFilters) ([]dynamo.Write, bool, error) {
			all, err := change(f.Filters)
			if err != nil || slices.Equal(all, f.Filters) {
				return nil, false, err
			}
			f.PK, f.ItemType = keys.SavedFilters(tenant, subject).Partition, model.ItemFilters
			f.Subject, f.Filters = string(subject), all
			return nil, true, nil
		})
}

func without(all []model.SavedFilter, name model.Name) []model.SavedFilter {
	return slices.DeleteFunc(slices.Clone(all), func(f model.SavedFilter) bool { return f.Name == name })
}
