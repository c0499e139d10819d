package cards

import "github.com/haatline/haatline/shared/telemetry"

// The metrics of the domain. Those of the schedule are written only while a request is pending.
var (
	ApprovalsPending    = telemetry.Metric{Name: "ApprovalsPending", Unit: "Count", Series: telemetry.LogOnly}    // requests that wait for an answer
	ApprovalsOldest     = telemetry.Metric{Name: "ApprovalsOldest", Unit: "Seconds", Series: telemetry.LogOnly}   // age of the one that expires first
	ApprovalsOverdue    = telemetry.Metric{Name: "ApprovalsOverdue", Unit: "Seconds", Series: telemetry.PerStage} // since when it should have been worked off
	DecisionsByAnswer   = telemetry.Metric{Name: "DecisionsByAnswer", Unit: "Count", Series: telemetry.LogOnly}   // requests decided by a WhatsApp message
	DecisionsByAPI      = telemetry.Metric{Name: "DecisionsByAPI", Unit: "Count", Series: telemetry.LogOnly}      // and by the API
	DecisionsByExpiry   = telemetry.Metric{Name: "DecisionsByExpiry", Unit: "Count", Series: telemetry.LogOnly}   // and those that nobody has answered
	CommandsRefused     = telemetry.Metric{Name: "CommandsRefused", Unit: "Count", Series: telemetry.LogOnly}     // commands of strangers, and those not understood
	NotificationsFailed = telemetry.Metric{Name: "NotificationsFailed", Unit: "Count", Series: telemetry.LogOnly} // notifications that did not reach their recipient
)
