package cards

import (
	"github.com/haatline/haatline/shared/cards/answers"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/telemetry"
)

// The metrics of the domain. Those of the schedule are written only while a request is pending.
var (
	ApprovalsPending    = telemetry.Metric{Name: "ApprovalsPending", Unit: "Count", Series: telemetry.LogOnly}    // requests that wait for an answer
	ApprovalsOldest     = telemetry.Metric{Name: "ApprovalsOldest", Unit: "Seconds", Series: telemetry.LogOnly}   // age of the one that expires first
	ApprovalsOverdue    = telemetry.Metric{Name: "ApprovalsOverdue", Unit: "Seconds", Series: telemetry.PerStage} // since when it should have been worked off
	DecisionsByAnswer   = answers.Decisions
	DecisionsByAPI      = requests.ByAPI
	DecisionsByExpiry   = telemetry.Metric{Name: "DecisionsByExpiry", Unit: "Count", Series: telemetry.LogOnly} // requests that nobody has answered
	CommandsRefused     = answers.Refused
	NotificationsFailed = notifications.Failed
)
