package commerce

import (
	"github.com/haatline/haatline/shared/commerce/analytics"
	"github.com/haatline/haatline/shared/commerce/following"
	"github.com/haatline/haatline/shared/commerce/notices"
)

// RollUp is the detail type of the schedule that sums the figures of all stores.
const RollUp = following.RollUp

// The metrics of the domain.
var (
	NoticesSent    = notices.Told
	NoticesRefused = notices.Refused
	FollowUpsAside = following.Aside
	AnalyticsAside = analytics.Aside
)
