package streams

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/local/lambda"
)

// failureDestination stores given-up records, one file each, in the form in which Lambda writes them to a bucket: the
// failed invocation, the record's position in the stream, and the whole event as payload.
type failureDestination struct{ config Config }

func (d *failureDestination) path(r *record) string {
	return filepath.Join(d.config.FailuresDir, strings.ReplaceAll(d.config.Table, "/", "_")+"-"+r.sequence+".json")
}

func (d *failureDestination) put(r *record, condition string, attempts int, cause error) error {
	kind := "Unhandled"
	var failure *lambda.Error
	if errors.As(cause, &failure) {
		kind = failure.Type
	}
	content, err := json.MarshalIndent(map[string]any{
		"version":   "1.0",
		"timestamp": d.config.Now().UTC().Format(time.RFC3339Nano),
		"requestContext": map[string]any{
			"requestId":              r.id,
			"functionArn":            d.config.FunctionARN,
			"condition":              condition,
			"approximateInvokeCount": attempts,
		},
		"responseContext": map[string]any{
			"statusCode": 200, "executedVersion": "$LATEST", "functionError": kind, "errorMessage": cause.Error(),
		},
		"DDBStreamBatchInfo": map[string]any{
			"shardId":                         r.shard,
			"startSequenceNumber":             r.sequence,
			"endSequenceNumber":               r.sequence,
			"approximateArrivalOfFirstRecord": r.created.UTC().Format(time.RFC3339),
			"approximateArrivalOfLastRecord":  r.created.UTC().Format(time.RFC3339),
			"batchSize":                       1,
			"streamArn":                       d.config.StreamARN,
		},
		"payload": string(encodeEvent([]*record{r})),
	}, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(d.path(r), content)
}
