package model

// ItemFlow is the item type of flows at Meta.
const ItemFlow = "FLOW"

// Flow is a flow at Meta, FLOW#{flowId}, an addition. A flow that Meta has not created yet has an id of haatline's.
// When Meta has created it, the flow gets an item under Meta's id, and this one leads there.
type Flow struct {
	Rest
	PK         string `dynamodbav:"pk"`
	ItemType   string `dynamodbav:"itemType"`
	FlowID     Name   `dynamodbav:"flowId"`
	WABAMetaID WABAID `dynamodbav:"wabaMetaId,omitempty"` // the account; "" of an item that leads to another one
	Became     Name   `dynamodbav:"became,omitempty"`     // the id that Meta has given the flow

	// What Meta has said of it.
	Name           string      `dynamodbav:"name,omitempty"`
	Categories     []string    `dynamodbav:"categories,omitempty"`
	Status         string      `dynamodbav:"status,omitempty"` // "" if Meta has not created it
	StatusOrder    Order       `dynamodbav:"statusOrder,omitempty"`
	EndpointURI    string      `dynamodbav:"endpointUri,omitempty"`
	JSONVersion    string      `dynamodbav:"jsonVersion,omitempty"`
	DataAPIVersion string      `dynamodbav:"dataApiVersion,omitempty"`
	Faults         []FlowFault `dynamodbav:"faults,omitempty"` // why it cannot be published
	Health         Document    `dynamodbav:"health,omitempty"`
	PreviewURL     string      `dynamodbav:"previewUrl,omitempty"`
	PreviewEndsAt  Time        `dynamodbav:"previewEndsAt,omitempty"`
	ReadAt         Time        `dynamodbav:"readAt,omitempty"` // when Meta last said all of it
	// Alerts holds the latest alert of each kind.
	Alerts  map[string]FlowAlert `dynamodbav:"alerts,omitempty"`
	Metrics *FlowMetrics         `dynamodbav:"metrics,omitempty"`

	JSON    *FlowJSON  `dynamodbav:"json,omitempty"`   // what was put last, and Meta has taken; or what it was asked for
	Unused  []string   `dynamodbav:"unused,omitempty"` // the keys of files that are to be deleted
	Asked   *FlowAsked `dynamodbav:"asked,omitempty"`  // what Meta was asked last, and the answer
	Version int64      `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (f *Flow) Lock() *int64 { return &f.Version }

// FlowFault is what Meta finds wrong with the JSON of a flow.
type FlowFault struct {
	Error   string `dynamodbav:"error,omitempty"`
	Type    string `dynamodbav:"type,omitempty"`
	Message string `dynamodbav:"message,omitempty"`
	Path    string `dynamodbav:"path,omitempty"`
	// where it is in the text; 0 if Meta has not said
	LineStart   int64 `dynamodbav:"lineStart,omitempty"`
	LineEnd     int64 `dynamodbav:"lineEnd,omitempty"`
	ColumnStart int64 `dynamodbav:"columnStart,omitempty"`
	ColumnEnd   int64 `dynamodbav:"columnEnd,omitempty"`
}

// FlowAlert is an event about how a flow works.
type FlowAlert struct {
	Order Order    `dynamodbav:"order"`
	Value Document `dynamodbav:"value,omitempty"` // as Meta wrote it; absent if it is long
}

// FlowMetrics are counts of the requests to the endpoint of a flow.
type FlowMetrics struct {
	Granularity string              `dynamodbav:"granularity"`
	Since       string              `dynamodbav:"since,omitempty"`
	Until       string              `dynamodbav:"until,omitempty"`
	ReadAt      Time                `dynamodbav:"readAt"`
	Points      map[string]Document `dynamodbav:"points"`             // by the name of the metric, as Meta wrote them
	Problems    map[string]string   `dynamodbav:"problems,omitempty"` // why Meta does not say a metric
}

// FlowJSON is the JSON of a flow in the bucket of files.
type FlowJSON struct {
	Key   string `dynamodbav:"key"`
	Sum   string `dynamodbav:"sum"` // SHA-256, in hex
	Size  int64  `dynamodbav:"size"`
	PutAt Time   `dynamodbav:"putAt,omitempty"` // "" if it was not put here
	// FetchedAt is when Meta was asked for it; "" if it was put here.
	FetchedAt Time `dynamodbav:"fetchedAt,omitempty"`
}

// FlowAsked is what Meta was asked about a flow, or about the flows of an account, and the answer.
type FlowAsked struct {
	Wish string `dynamodbav:"wish"`
	At   Time   `dynamodbav:"at"`
	By   string `dynamodbav:"by,omitempty"` // who has asked for it

	// What the flow is to be; absent for no change.
	Name        string    `dynamodbav:"name,omitempty"`
	Categories  []string  `dynamodbav:"categories,omitempty"`
	EndpointURI string    `dynamodbav:"endpointUri,omitempty"`
	CloneFlowID Name      `dynamodbav:"cloneFlowId,omitempty"`
	JSON        *FlowJSON `dynamodbav:"json,omitempty"`
	Publish     bool      `dynamodbav:"publish,omitempty"`
	// Which counts are asked for.
	Granularity string `dynamodbav:"granularity,omitempty"`
	Since       string `dynamodbav:"since,omitempty"`
	Until       string `dynamodbav:"until,omitempty"`

	PostedAt   Time   `dynamodbav:"postedAt,omitempty"`   // since when Meta may have created it
	After      string `dynamodbav:"after,omitempty"`      // behind what Meta's flows are to be read
	Read       bool   `dynamodbav:"read,omitempty"`       // all of Meta's flows are read
	Count      int    `dynamodbav:"count,omitempty"`      // what was read so far
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string `dynamodbav:"problem,omitempty"`    // what stood in the way
}
