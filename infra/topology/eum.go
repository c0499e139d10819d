package topology

import (
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// EUMWebhook appends what AWS End User Messaging tells of WhatsApp. Only a deployment with numbers there has it. It is
// a function of its own, as the webhook is, because intake does nothing but append: it may write the log, and reads
// nothing. While nothing comes, it costs what Lambda asks the queue: a quarter of a dollar a month.
var EUMWebhook = Function{
	Name:     "eum-webhook",
	Purpose:  "appends to the log what AWS End User Messaging tells of WhatsApp, where there are numbers there",
	MemoryMB: 512, Timeout: 30 * time.Second,
	Grants: []Grant{{Table: tables.Messages, Actions: []string{"PutItem"}, Leading: keys.LogPrefixes()}},
	// A message that is not taken comes about 3 minutes apart: for an hour, which is longer than most failures in
	// passing. The runs at a time are bounded, so that a flood of statuses leaves the account's runs to others.
	Queue:   &Queue{Name: "eum", BatchSize: 10, MaxReceives: 20, MaxConcurrency: 5},
	Metrics: []telemetry.Metric{telemetry.DuplicatesRefused, telemetry.EventsParked, telemetry.WriteUnits},
}
