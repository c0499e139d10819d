// Package database opens the tables of a deployment, or of the running local cloud.
package database

import (
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// Open returns a client of a stage's tables. For deployment.Local they are those of this checkout's running local
// cloud.
func Open(ctx context.Context, stage tables.Stage) (*dynamo.Client, error) {
	if stage == deployment.Local {
		return openLocal()
	}
	account, err := deployment.AWS(ctx)
	if err != nil {
		return nil, err
	}
	return dynamo.Wrap(dynamodb.NewFromConfig(account), stage), nil
}

// openLocal returns a client of the local cloud's tables, which have the names of dev.
func openLocal() (*dynamo.Client, error) {
	root, err := engine.Root()
	if err != nil {
		return nil, err
	}
	config, err := cloud.FromEnv(root, os.Getenv)
	if err != nil {
		return nil, err
	}
	addresses, err := cloud.ReadAddresses(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("no local cloud runs in %s: start it with make run", config.Dir)
	}
	return dynamo.Wrap(engine.Client(addresses.DynamoDB), tables.Dev), nil
}
