package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/infra/local/database"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

const (
	timedWrites = 1000 // number of writes per measured rate
	perBatch    = 25   // DynamoDB's limit per batch
	fillers     = 4
)

// measureEngine returns the local engine's write rates in writes per second: with a new file, and after a number of
// writes.
func measureEngine(dir string, writes int) (first, last float64, err error) {
	root, err := engine.Root()
	if err != nil {
		return 0, 0, err
	}
	ctx := context.Background()
	e, err := database.Start(ctx, engine.Options{Root: root, Path: filepath.Join(dir, "dynamodb.db")})
	if err != nil {
		return 0, 0, err
	}
	defer e.Stop()
	client := engine.Client(e.Endpoint)
	if err := engine.CreateTables(ctx, client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		return 0, 0, err
	}
	if first, err = rate(ctx, client, 0); err != nil {
		return 0, 0, err
	}
	if err := fill(ctx, client, timedWrites, writes); err != nil {
		return 0, 0, err
	}
	last, err = rate(ctx, client, max(timedWrites, writes))
	return first, last, err
}

// rate measures sequential single writes, for items from number from on.
func rate(ctx context.Context, client *dynamodb.Client, from int) (float64, error) {
	began := time.Now()
	for i := range timedWrites {
		_, err := client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: aws.String(tables.Messages.Name(tables.Dev)), Item: logged(from + i)})
		if err != nil {
			return 0, fmt.Errorf("write: %w", err)
		}
	}
	return timedWrites / time.Since(began).Seconds(), nil
}

// fill writes the items between two numbers in concurrent batches.
func fill(ctx context.Context, client *dynamodb.Client, from, to int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fillers)
	for ; from < to; from += perBatch {
		var batch []types.WriteRequest
		for i := from; i < min(from+perBatch, to); i++ {
			batch = append(batch, types.WriteRequest{PutRequest: &types.PutRequest{Item: logged(i)}})
		}
		group.Go(func() error {
			_, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{tables.Messages.Name(tables.Dev): batch},
			})
			return err
		})
	}
	return group.Wait()
}

// logged returns an item about as large as a webhook entry.
func logged(i int) map[string]types.AttributeValue {
	s := func(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }
	return map[string]types.AttributeValue{
		"pk": s("WEBHOOK#" + strconv.Itoa(i)), "itemType": s("WEBHOOK_EVENT"), "eventType": s("message"),
		"payload": s(fmt.Sprintf("%0500d", i)),
	}
}
