package streams

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// record is one change to be delivered to the function.
type record struct {
	id       string
	sequence string
	shard    string
	key      uint32 // hash of the item's key, which selects the lane
	created  time.Time
	tree     map[string]any // the record as filters see it; nil once it is encoded
	event    []byte         // the record as the function gets it: one element of Records
	place    *entry
}

// newRecord converts a record to the form in which Lambda delivers it, but does not encode it: filters leave out most
// records. Region, source and event id are AWS's, because a local engine writes its own.
func newRecord(in types.Record, shard string, c Config) (*record, error) {
	if in.Dynamodb == nil {
		return nil, fmt.Errorf("record %s has no change", aws.ToString(in.EventID))
	}
	change := map[string]any{
		"SequenceNumber": aws.ToString(in.Dynamodb.SequenceNumber),
		"SizeBytes":      aws.ToInt64(in.Dynamodb.SizeBytes),
		"StreamViewType": string(in.Dynamodb.StreamViewType),
	}
	for name, image := range map[string]map[string]types.AttributeValue{
		"Keys": in.Dynamodb.Keys, "NewImage": in.Dynamodb.NewImage, "OldImage": in.Dynamodb.OldImage,
	} {
		if image != nil {
			change[name] = item(image)
		}
	}
	created := aws.ToTime(in.Dynamodb.ApproximateCreationDateTime)
	if !created.IsZero() {
		change["ApproximateCreationDateTime"] = created.Unix()
	}
	sequence := aws.ToString(in.Dynamodb.SequenceNumber)
	id := md5.Sum([]byte(c.StreamARN + sequence))
	tree := map[string]any{
		"eventID":        hex.EncodeToString(id[:]),
		"eventName":      string(in.EventName),
		"eventVersion":   "1.1",
		"eventSource":    "aws:dynamodb",
		"awsRegion":      c.Region,
		"eventSourceARN": sourceARN(c),
		"dynamodb":       change,
	}
	if in.UserIdentity != nil { // marks a deletion by TTL
		tree["userIdentity"] = map[string]any{
			"type": aws.ToString(in.UserIdentity.Type), "principalId": aws.ToString(in.UserIdentity.PrincipalId)}
	}
	return &record{
		id: tree["eventID"].(string), sequence: sequence, shard: shard, created: created, tree: tree}, nil
}

// encode encodes the record, its key once for both the event and the lane.
func (r *record) encode() error {
	change := r.tree["dynamodb"].(map[string]any)
	key, err := json.Marshal(change["Keys"])
	if err != nil {
		return fmt.Errorf("encode key of record %s: %w", r.sequence, err)
	}
	if change["Keys"] != nil {
		change["Keys"] = json.RawMessage(key)
	}
	if r.event, err = json.Marshal(r.tree); err != nil {
		return fmt.Errorf("encode record %s: %w", r.sequence, err)
	}
	hash := fnv.New32a()
	_, _ = hash.Write(key)
	r.key, r.tree = hash.Sum32(), nil
	return nil
}

// sourceARN returns the stream's ARN as AWS writes it, with the engine's label.
func sourceARN(c Config) string {
	_, label, found := strings.Cut(c.StreamARN, "/stream/")
	if !found {
		return c.StreamARN
	}
	return fmt.Sprintf("arn:aws:dynamodb:%s:000000000000:table/%s/stream/%s", c.Region, c.Table, label)
}

func item(attributes map[string]types.AttributeValue) map[string]any {
	tree := make(map[string]any, len(attributes))
	for name, value := range attributes {
		tree[name] = attribute(value)
	}
	return tree
}

// attribute returns a value in DynamoDB's JSON: {"S": …}, bytes in base64.
func attribute(value types.AttributeValue) map[string]any {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return map[string]any{"S": v.Value}
	case *types.AttributeValueMemberN:
		return map[string]any{"N": v.Value}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": base64.StdEncoding.EncodeToString(v.Value)}
	case *types.AttributeValueMemberBOOL:
		return map[string]any{"BOOL": v.Value}
	case *types.AttributeValueMemberNULL:
		return map[string]any{"NULL": v.Value}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": v.Value}
	case *types.AttributeValueMemberNS:
		return map[string]any{"NS": v.Value}
	case *types.AttributeValueMemberBS:
		set := make([]string, len(v.Value))
		for i, element := range v.Value {
			set[i] = base64.StdEncoding.EncodeToString(element)
		}
		return map[string]any{"BS": set}
	case *types.AttributeValueMemberM:
		return map[string]any{"M": item(v.Value)}
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, element := range v.Value {
			list[i] = attribute(element)
		}
		return map[string]any{"L": list}
	default:
		return map[string]any{}
	}
}
