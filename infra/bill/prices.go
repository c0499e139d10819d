package bill

// prices are AWS's list prices in USD for us-east-1, first tier, arm64 and on-demand tables, read on 22 November 2026.
// The account's free tiers are left out, so that the sum is also right for a second stage. The only exception: an
// account's first three dashboards are free if they have at most fifty metrics each.
var prices = struct {
	writeUnit, readUnit, tableGB, recoveryGB float64 // DynamoDB: a unit, a GB for a month, a GB of recovery for a month
	run, gigabyteSecond                      float64 // Lambda
	request                                  float64 // HTTP API
	logGB, logGBKept                         float64 // CloudWatch Logs: taken in, and kept for a month
	// CloudWatch, for a month: a series, a metric that an alarm reads, a dashboard
	metric, alarmMetric, dashboard float64
	trace                          float64 // X-Ray
	secret, secretCall             float64 // Secrets Manager: for a month, and a call
	keyCall, key                   float64 // KMS: a call, and a key for a month
	start                          float64 // EventBridge Scheduler
	person                         float64 // Cognito: somebody who signs in within the month
	outGB                          float64 // data to the internet
	// CloudFront: a request by HTTPS, a GB to the internet, a run of a function there
	frontRequest, frontGB, frontRun float64
	fileGB, fileRead                float64 // S3: a GB for a month, and a request that reads
}{
	writeUnit: 0.625 / million, readUnit: 0.125 / million, tableGB: 0.25, recoveryGB: 0.20,
	run: 0.20 / million, gigabyteSecond: 0.0000133334,
	request: 1.00 / million,
	logGB:   0.50, logGBKept: 0.03,
	metric: 0.30, alarmMetric: 0.10, dashboard: 3.00,
	trace:  5.00 / million,
	secret: 0.40, secretCall: 0.05 / 10_000,
	keyCall: 0.03 / 10_000, key: 1.00,
	start:  1.00 / million,
	person: 0.015,
	outGB:  0.09,

	frontRequest: 0.0100 / 10_000, frontGB: 0.085, frontRun: 0.10 / million,
	fileGB: 0.023, fileRead: 0.0004 / 1_000,
}

const (
	million  = 1e6
	gigabyte = 1e9

	freeMetrics = 50 // of a dashboard
)

// mix has the assumptions about messages and people. They are guesses about an ordinary business; change them here.
var mix = struct {
	in               float64            // share of the messages that come in; the others go out
	newCustomers     float64            // share of the incoming messages that are somebody's first
	statuses         float64            // of a message that goes out: sent, delivered, read
	marks            float64            // conversations marked as read, for each message that comes in
	looks            float64            // requests that only read, for each message, and for each move of an order
	lookUnits        float64            // read units of one of them: a page of an inbox or of a conversation
	auditUnits       float64            // write units of the record of a change, its index included
	orderIn          float64            // messages that come in for an order by chat
	orderAnswers     float64            // that go out for it: the assistant's answers
	orderNotices     float64            // and a notice at each of its steps, to the shop or to the customer
	orderMoves       float64            // of it by the shop's people; the function orders follows each, and its making
	busyHours        float64            // of a day; the messages are spread over them evenly
	messagesAPerson  float64            // messages a day that one person deals with
	shards           float64            // of a stream; Lambda reads each four times a second
	answerBytes      float64            // of an answer of the API
	sendBytes        float64            // of what is sent to WhatsApp for a message
	accessLineBytes  float64            // of a line of the API's access log
	environments     float64            // of a function, warm at once, beyond what its load needs
	millisecondsOf   map[string]float64 // of a run, by function; the outbox waits for WhatsApp
	consoleHours     float64            // of a day in which a person has the console open
	consoleAsks      float64            // requests for changes by an open console, in an hour: every ten seconds
	askUnits         float64            // read units of one of them
	consoleCounts    float64            // counts of conversations by an open console, in an hour at most
	countUnits       float64            // read units of one: all are read every five minutes only
	consoleTells     float64            // by an open console that somebody is there or types, in an hour
	tellUnits        float64            // read units of one of them
	consoleLoads     float64            // of the console, by a person in a day
	consoleFiles     float64            // requests for files with each: most of the page lies in the browser
	consoleBytes     float64            // of the page, compressed, which a browser loads with each release
	consoleReleases  float64            // of the console in a month
	millisecondsIdle float64            // of a run of a sweep that finds nothing
}{
	in: 0.5, newCustomers: 0.05, statuses: 3, marks: 0.2, looks: 1, lookUnits: 4, auditUnits: 2,
	orderIn: 3, orderAnswers: 3, orderNotices: 5, orderMoves: 4, busyHours: 12, messagesAPerson: 1_000, shards: 4,
	answerBytes: 4_000, sendBytes: 1_500, accessLineBytes: 420, environments: 1,
	millisecondsOf: map[string]float64{
		"webhook": 15, "inbound": 35, "status": 25, "outbox": 475, "orders": 40, operators: 30,
	},
	millisecondsIdle: 15,
	consoleHours:     8, consoleAsks: 360, askUnits: 2, consoleCounts: 120, countUnits: 5,
	consoleTells: 90, tellUnits: 2,
	consoleLoads: 20, consoleFiles: 4, consoleBytes: 50_000, consoleReleases: 4,
}
