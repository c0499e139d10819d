package streams

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// pageSize bounds one read. An engine may not limit a page to a megabyte like AWS does, and a record may have 400 KB.
const pageSize = 100

// shardReader reads a stream record by record, one shard after another, parents before children. Local engines have one
// open shard, so reading shards concurrently would gain nothing.
type shardReader struct {
	api      API
	stream   string
	position position
	iterator *string
}

// read returns the next records and their shard, or no records if there are none yet.
func (r *shardReader) read(ctx context.Context) ([]types.Record, string, error) {
	if r.iterator == nil {
		if err := r.seek(ctx); err != nil || r.iterator == nil {
			return nil, "", err
		}
	}
	out, err := r.api.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: r.iterator, Limit: aws.Int32(pageSize)})
	var expired *types.ExpiredIteratorException
	var trimmed *types.TrimmedDataAccessException
	switch {
	case errors.As(err, &expired):
		r.iterator = nil
		return nil, "", nil
	case errors.As(err, &trimmed):
		r.iterator, r.position.Sequence = nil, "" // the records were trimmed: continue with the oldest one
		return nil, "", nil
	case err != nil:
		r.iterator = nil
		return nil, "", fmt.Errorf("read stream: %w", err)
	}
	shard := r.position.Shard
	if len(out.Records) > 0 {
		r.position.Sequence = aws.ToString(out.Records[len(out.Records)-1].Dynamodb.SequenceNumber)
	}
	r.iterator = out.NextShardIterator
	if r.iterator == nil { // the shard is closed and fully read
		return out.Records, shard, r.nextShard(ctx)
	}
	return out.Records, shard, nil
}

// seek opens an iterator at the position, or in the oldest shard if the position's shard does not exist.
func (r *shardReader) seek(ctx context.Context) error {
	shards, err := r.listShards(ctx)
	if err != nil {
		return err
	}
	if len(shards) == 0 {
		return nil
	}
	if !slices.Contains(shards, r.position.Shard) {
		r.position = position{Shard: shards[0]}
	}
	in := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: aws.String(r.stream), ShardId: aws.String(r.position.Shard),
		ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
	}
	if r.position.Sequence != "" {
		in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAfterSequenceNumber,
			aws.String(r.position.Sequence)
	}
	out, err := r.api.GetShardIterator(ctx, in)
	var trimmed *types.TrimmedDataAccessException
	if errors.As(err, &trimmed) {
		r.position.Sequence = ""
		return nil // the next read seeks again
	}
	if err != nil {
		return fmt.Errorf("open shard %s: %w", r.position.Shard, err)
	}
	r.iterator = out.ShardIterator
	return nil
}

// nextShard moves to the next shard, or stays if there is none yet.
func (r *shardReader) nextShard(ctx context.Context) error {
	shards, err := r.listShards(ctx)
	if err != nil {
		return err
	}
	if i := slices.Index(shards, r.position.Shard); i >= 0 && i+1 < len(shards) {
		r.position = position{Shard: shards[i+1]}
	}
	return nil
}

// listShards returns the shards with every parent before its children.
func (r *shardReader) listShards(ctx context.Context) ([]string, error) {
	var all []types.Shard
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: aws.String(r.stream)}
	for {
		out, err := r.api.DescribeStream(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("describe stream: %w", err)
		}
		all = append(all, out.StreamDescription.Shards...)
		in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId
		if in.ExclusiveStartShardId == nil {
			break
		}
	}
	return inLineage(all), nil
}

func inLineage(shards []types.Shard) []string {
	known := map[string]bool{}
	for _, shard := range shards {
		known[aws.ToString(shard.ShardId)] = true
	}
	var ordered []string
	placed := map[string]bool{}
	for len(ordered) < len(shards) {
		before := len(ordered)
		for _, shard := range shards {
			id, parent := aws.ToString(shard.ShardId), aws.ToString(shard.ParentShardId)
			if !placed[id] && (parent == "" || !known[parent] || placed[parent]) {
				placed[id] = true
				ordered = append(ordered, id)
			}
		}
		if len(ordered) == before {
			break // a cycle, which no engine makes: ignore the rest instead of looping
		}
	}
	return ordered
}
