package restore

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/tables"
)

// beside returns the table beside a table, which holds what that held.
func (r *restoring) beside(table tables.Table) tables.Table {
	return table.Copy("-at-" + r.at.Format("20060102T150405Z"))
}

// makeCopies has DynamoDB restore each table beside itself, without indexes, which nobody reads there. It reports
// whether one of them is not ready.
func (r *restoring) makeCopies(ctx context.Context) (waits bool, err error) {
	for _, table := range r.tables {
		source, target := table.Name(r.stage), r.beside(table).Name(r.stage)
		described, err := r.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &target})
		switch {
		case err == nil && described.Table.TableStatus == types.TableStatusActive:
			continue
		case err == nil:
			fmt.Fprintf(r.out, "%s is %s\n", target, described.Table.TableStatus)
		case !deployment.Is(err, "ResourceNotFoundException"):
			return false, fmt.Errorf("look at %s: %s", target, deployment.Why(err))
		default:
			_, err := r.client.RestoreTableToPointInTime(ctx, &dynamodb.RestoreTableToPointInTimeInput{
				SourceTableName: &source, TargetTableName: &target, RestoreDateTime: &r.at,
				BillingModeOverride:          types.BillingModePayPerRequest,
				GlobalSecondaryIndexOverride: []types.GlobalSecondaryIndex{},
				LocalSecondaryIndexOverride:  []types.LocalSecondaryIndex{},
			})
			if err != nil {
				return false, fmt.Errorf("restore %s beside: %s", source, deployment.Why(err))
			}
			fmt.Fprintf(r.out, "%s is being restored to %s\n", source, target)
		}
		waits = true
	}
	if waits {
		fmt.Fprintln(r.out, "run the same command again when all are there: it takes from minutes to hours")
	}
	return waits, nil
}

// removeCopies deletes the tables beside.
func (r *restoring) removeCopies(ctx context.Context) error {
	for _, table := range r.tables {
		target := r.beside(table).Name(r.stage)
		_, err := r.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(target)})
		if err != nil && !deployment.Is(err, "ResourceNotFoundException") {
			return fmt.Errorf("delete %s: %s", target, deployment.Why(err))
		}
		fmt.Fprintf(r.out, "%s is gone\n", target)
	}
	return nil
}
