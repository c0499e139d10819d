package templates

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
)

// A daily run lists an account unless that was done less than listedToday ago, by a person for example.
const (
	listedToday    = 20 * time.Hour
	accountsAtOnce = 8
)

// SyncSchedule is the detail type of the event of the schedule that has all accounts' templates listed.
const SyncSchedule = "templates-sync"

// SyncAll has the templates of all accounts listed that belong to a tenant. An account that fails does not affect the
// others.
func (s *Cache) SyncAll(ctx context.Context) error {
	accounts, err := s.Log.Accounts(ctx)
	if err != nil {
		return err
	}
	jobs := make([]func() error, len(accounts))
	for i, waba := range accounts {
		jobs[i] = func() error {
			phones, err := s.Numbers.PhonesOfAccount(ctx, waba)
			phones = slices.DeleteFunc(phones, func(p model.Phone) bool { return p.TenantID == "" })
			if err != nil || len(phones) == 0 {
				return err
			}
			first := slices.MinFunc(phones,
				func(a, b model.Phone) int { return cmp.Compare(a.PhoneNumberID, b.PhoneNumberID) })
			_, err = s.RequestSync(ctx, Sync{first.TenantID, waba, first.PhoneNumberID}, listedToday)
			return err
		}
	}
	return errors.Join(lanes.Concurrently(accountsAtOnce, jobs...)...)
}
