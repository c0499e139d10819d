package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/tables"
)

// CreateTables makes the tables under their names in the stage. A table that is there already
// gets the indexes it lacks, because data is kept between runs and versions, and is otherwise left as it is.
func CreateTables(ctx context.Context, client *dynamodb.Client, list []tables.Table, stage tables.Stage) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for _, table := range list {
		group.Go(func() error { return createTable(ctx, client, table, stage) })
	}
	return group.Wait()
}

// createTries is how often a table is asked for while nothing answers: an engine that is busy closes connections.
const createTries = 3

func createTable(ctx context.Context, client *dynamodb.Client, table tables.Table, stage tables.Stage) error {
	_, err := client.CreateTable(ctx, createTableInput(table, stage))
	tries := 1
	for ; tries < createTries && unanswered(err) && ctx.Err() == nil; tries++ {
		time.Sleep(100 * time.Millisecond)
		_, err = client.CreateTable(ctx, createTableInput(table, stage))
	}
	var inUse *types.ResourceInUseException
	switch {
	case !errors.As(err, &inUse):
	case tries == 1: // it was there before
		return addIndexes(ctx, client, table, stage)
	default: // it is there, or the try that nobody has answered has made it
		err = addIndexes(ctx, client, table, stage)
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", table.Name(stage), err)
	}
	if table.TTL == "" {
		return nil
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(table.Name(stage)),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(table.TTL), Enabled: aws.Bool(true)},
	})
	if err != nil {
		return fmt.Errorf("set expiry of table %s: %w", table.Name(stage), err)
	}
	return nil
}

// unanswered reports whether nobody has answered a request.
func unanswered(err error) bool {
	var said smithy.APIError
	return err != nil && !errors.As(err, &said)
}

// addIndexes makes the global indexes that a table lacks, one after the other, as DynamoDB wants it.
func addIndexes(ctx context.Context, client *dynamodb.Client, table tables.Table, stage tables.Stage) error {
	name := aws.String(table.Name(stage))
	there, err := indexesOf(ctx, client, name)
	if err != nil {
		return err
	}
	for _, index := range table.Global {
		if there[index.Name] {
			continue
		}
		_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
			TableName: name, AttributeDefinitions: attributeDefinitions(table),
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
				{Create: &types.CreateGlobalSecondaryIndexAction{
					IndexName: aws.String(index.Name), KeySchema: keySchema(index.Partition, index.Sort),
					Projection: projection(index),
				}}},
		})
		if err == nil {
			continue
		}
		// The client repeats a call whose answer was lost, and the repetition is refused: the index may be there.
		if there, again := indexesOf(ctx, client, name); again != nil || !there[index.Name] {
			return fmt.Errorf("add index %s to table %s: %w", index.Name, *name, err)
		}
	}
	return nil
}

// indexesOf returns the names of a table's global indexes.
func indexesOf(ctx context.Context, client *dynamodb.Client, name *string) (map[string]bool, error) {
	found, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name})
	if err != nil {
		return nil, fmt.Errorf("describe table %s: %w", *name, err)
	}
	there := map[string]bool{}
	for _, index := range found.Table.GlobalSecondaryIndexes {
		there[aws.ToString(index.IndexName)] = true
	}
	return there, nil
}

func createTableInput(table tables.Table, stage tables.Stage) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(table.Name(stage)),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            keySchema(table.Partition, table.Sort),
		AttributeDefinitions: attributeDefinitions(table),
	}
	for _, index := range table.Global {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(index.Name), KeySchema: keySchema(index.Partition, index.Sort),
			Projection: projection(index),
		})
	}
	for _, index := range table.Local {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: aws.String(index.Name), KeySchema: keySchema(index.Partition, index.Sort),
			Projection: projection(index),
		})
	}
	if table.Stream != tables.NoStream {
		in.StreamSpecification = &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewType(table.Stream)}
	}
	return in
}

func keySchema(partition, sort tables.Attribute) []types.KeySchemaElement {
	schema := []types.KeySchemaElement{{AttributeName: aws.String(partition.Name), KeyType: types.KeyTypeHash}}
	if sort.Name != "" {
		schema = append(schema,
			types.KeySchemaElement{AttributeName: aws.String(sort.Name), KeyType: types.KeyTypeRange})
	}
	return schema
}

func projection(index tables.Index) *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionType(index.Projection), NonKeyAttributes: index.Attributes}
}

// attributeDefinitions lists each key attribute of the table and its indexes once.
func attributeDefinitions(table tables.Table) []types.AttributeDefinition {
	attributes := []tables.Attribute{table.Partition, table.Sort}
	for _, index := range table.Indexes() {
		attributes = append(attributes, index.Partition, index.Sort)
	}
	seen := map[string]bool{"": true}
	var definitions []types.AttributeDefinition
	for _, attribute := range attributes {
		if !seen[attribute.Name] {
			seen[attribute.Name] = true
			definitions = append(definitions, types.AttributeDefinition{
				AttributeName: aws.String(attribute.Name), AttributeType: types.ScalarAttributeType(attribute.Type),
			})
		}
	}
	return definitions
}
