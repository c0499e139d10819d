package campaigns

import (
	"context"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Meta limits to how many people a business writes first in 24 hours. A campaign keeps to that by what campaigns of the
// account have sent in the last 24 hours. It does not count what was sent otherwise, and counts a person twice who got
// two messages.

const hourForm = "2006-01-02T15"

// LimitOf returns how many people a number may write to first in 24 hours; 0 if that is not limited, or not known.
func LimitOf(number model.Phone) int64 {
	text, is := strings.CutPrefix(number.MessagingLimit, "TIER_")
	if !is {
		return 0
	}
	factor := int64(1)
	if thousands, is := strings.CutSuffix(text, "K"); is {
		text, factor = thousands, 1000
	}
	limit, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0 // TIER_UNLIMITED
	}
	return limit * factor
}

// allowance returns how many messages campaigns of a number may send now.
func (s *Campaigns) allowance(ctx context.Context, number model.Phone) (int, error) {
	limit := LimitOf(number)
	if limit == 0 || number.WABAMetaID == "" {
		return math.MaxInt, nil
	}
	use, err := s.use(ctx, number.WABAMetaID)
	return int(max(0, limit-s.lately(use))), err
}

// lately returns how many messages an account's campaigns have sent in the last 24 hours, and in the hour before.
func (s *Campaigns) lately(use model.CampaignUse) (sent int64) {
	for hour, n := range use.Hours {
		if hour >= s.oldestHour() {
			sent += n
		}
	}
	return sent
}

// oldestHour returns the hour in which the last 24 hours began.
func (s *Campaigns) oldestHour() string { return s.Now().UTC().Add(-24 * time.Hour).Format(hourForm) }

func (s *Campaigns) use(ctx context.Context, waba model.WABAID) (use model.CampaignUse, err error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.CampaignUse(waba)}
	err = s.read(ctx, ref, &use)
	use.PK, use.ItemType = ref.Key.Partition, model.ItemCampaignUse
	return use, err
}

// useWrites returns the write that counts messages of a number whose account has a limit. The condition is that the
// count is as it was read.
func (s *Campaigns) useWrites(ctx context.Context, number model.Phone, took int64) ([]dynamo.Write, error) {
	if LimitOf(number) == 0 || number.WABAMetaID == "" || took == 0 {
		return nil, nil
	}
	use, err := s.use(ctx, number.WABAMetaID)
	if err != nil {
		return nil, err
	}
	if use.Hours == nil {
		use.Hours = map[string]int64{}
	}
	maps.DeleteFunc(use.Hours, func(hour string, _ int64) bool { return hour < s.oldestHour() })
	use.Hours[s.Now().UTC().Format(hourForm)] += took
	put, err := dynamo.PutVersion(tables.Messages, &use)
	return []dynamo.Write{put}, err
}
