package cards

import (
	"github.com/haatline/haatline/shared/cards/answers"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/telemetry"
)

// The metrics of the domain. Those of the schedule are written only while a request is pending.
var (
	// requests that wait for an answer
	ApprovalsPending = telemetry.Metric{Name: "ApprovalsPending", Unit: "Count", Series: telemetry.LogOnly}
	// age of the one that expires first
	ApprovalsOldest = telemetry.Metric{Name: "ApprovalsOldest", Unit: "Seconds", Series: telemetry.LogOnly}
	// since when it should have been worked off
	ApprovalsOverdue  = telemetry.Metric{Name: "ApprovalsOverdue", Unit: "Seconds", Series: telemetry.PerStage}
	DecisionsByAnswer = answers.Decisions
	DecisionsByAPI    = requests.ByAPI
	// requests that nobody has answered
	DecisionsByExpiry   = telemetry.Metric{Name: "DecisionsByExpiry", Unit: "Count", Series: telemetry.LogOnly}
	CommandsRefused     = answers.Refused
	NotificationsFailed = notifications.Failed
)
