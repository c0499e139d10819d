package stacks

import (
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/tables"
)

// Data is the stack of the tables and of the bucket of files.
type Data struct {
	awscdk.Stack
	options settings.Options
	Tables  map[string]awsdynamodb.CfnTable // by table ID
}

// NewData returns the stack of every table in package tables, and of the bucket of files.
//
// The tables are plain CloudFormation resources instead of CDK table constructs. Those take indexes one by one and
// decide themselves how to write them, while here the template must follow package tables exactly.
func NewData(scope constructs.Construct, options settings.Options) *Data {
	data := &Data{
		Stack:   newStack(scope, names.Data, "haatline: the tables and the files", options.Stage),
		options: options,
		Tables:  map[string]awsdynamodb.CfnTable{},
	}
	for _, table := range tables.All() {
		data.Tables[table.ID] = newTable(data.Stack, table, options)
	}
	data.addFiles()
	return data
}

func newTable(stack awscdk.Stack, table tables.Table, options settings.Options) awsdynamodb.CfnTable {
	stage, warm := options.Stage, warmed(options.WarmWrites[table.ID])
	props := &awsdynamodb.CfnTableProps{
		TableName:                 jsii.String(table.Name(stage)),
		KeySchema:                 keySchema(table.Partition, table.Sort),
		AttributeDefinitions:      attributeDefinitions(table),
		BillingMode:               jsii.String("PAY_PER_REQUEST"),
		DeletionProtectionEnabled: table.Recoverable(stage),
		PointInTimeRecoverySpecification: &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{
			PointInTimeRecoveryEnabled: table.Recoverable(stage),
		},
	}
	if warm != nil {
		props.WarmThroughput = warm
	}
	if table.KeyInAccount(stage) {
		props.SseSpecification = &awsdynamodb.CfnTable_SSESpecificationProperty{SseEnabled: true}
	}
	if len(table.Global) > 0 {
		props.GlobalSecondaryIndexes = globalIndexes(table.Global, warm)
	}
	if len(table.Local) > 0 {
		props.LocalSecondaryIndexes = localIndexes(table.Local)
	}
	if table.TTL != "" {
		props.TimeToLiveSpecification = &awsdynamodb.CfnTable_TimeToLiveSpecificationProperty{
			AttributeName: &table.TTL, Enabled: true,
		}
	}
	if table.Stream != tables.NoStream {
		props.StreamSpecification = &awsdynamodb.CfnTable_StreamSpecificationProperty{
			StreamViewType: jsii.String(string(table.Stream)),
		}
	}
	resource := awsdynamodb.NewCfnTable(stack, &table.ID, props)
	// Logical ids are explicit, so that moving a construct in the tree cannot change an id and replace the table.
	resource.OverrideLogicalId(&table.ID)
	resource.ApplyRemovalPolicy(removalPolicy(stage), nil)
	return resource
}

func removalPolicy(stage tables.Stage) awscdk.RemovalPolicy {
	if stage.Durable() {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

func keySchema(partition, sort tables.Attribute) *[]*awsdynamodb.CfnTable_KeySchemaProperty {
	schema := []*awsdynamodb.CfnTable_KeySchemaProperty{{AttributeName: &partition.Name, KeyType: jsii.String("HASH")}}
	if sort.Name != "" {
		schema = append(schema,
			&awsdynamodb.CfnTable_KeySchemaProperty{AttributeName: &sort.Name, KeyType: jsii.String("RANGE")})
	}
	return &schema
}

// attributeDefinitions lists each key attribute of the table and its indexes once, ordered by name, so that a new index
// changes only its own lines.
func attributeDefinitions(table tables.Table) *[]*awsdynamodb.CfnTable_AttributeDefinitionProperty {
	types := map[string]tables.Type{table.Partition.Name: table.Partition.Type, table.Sort.Name: table.Sort.Type}
	for _, index := range table.Indexes() {
		types[index.Partition.Name] = index.Partition.Type
		types[index.Sort.Name] = index.Sort.Type
	}
	delete(types, "") // keys without a sort attribute
	definitions := make([]*awsdynamodb.CfnTable_AttributeDefinitionProperty, 0, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		definitions = append(definitions, &awsdynamodb.CfnTable_AttributeDefinitionProperty{
			AttributeName: jsii.String(name), AttributeType: jsii.String(string(types[name])),
		})
	}
	return &definitions
}

// warmed returns what a table, and each of its indexes, is ready for at once; nil for what DynamoDB gives to all.
func warmed(writes int) *awsdynamodb.CfnTable_WarmThroughputProperty {
	if writes == 0 {
		return nil
	}
	return &awsdynamodb.CfnTable_WarmThroughputProperty{WriteUnitsPerSecond: jsii.Number(writes)}
}

func globalIndexes(indexes []tables.Index,
	warm *awsdynamodb.CfnTable_WarmThroughputProperty) *[]*awsdynamodb.CfnTable_GlobalSecondaryIndexProperty {
	made := make([]*awsdynamodb.CfnTable_GlobalSecondaryIndexProperty, 0, len(indexes))
	for _, index := range indexes {
		one := &awsdynamodb.CfnTable_GlobalSecondaryIndexProperty{
			IndexName: &index.Name, KeySchema: keySchema(index.Partition, index.Sort), Projection: projection(index),
		}
		if warm != nil {
			one.WarmThroughput = warm
		}
		made = append(made, one)
	}
	return &made
}

func localIndexes(indexes []tables.Index) *[]*awsdynamodb.CfnTable_LocalSecondaryIndexProperty {
	made := make([]*awsdynamodb.CfnTable_LocalSecondaryIndexProperty, 0, len(indexes))
	for _, index := range indexes {
		made = append(made, &awsdynamodb.CfnTable_LocalSecondaryIndexProperty{
			IndexName: &index.Name, KeySchema: keySchema(index.Partition, index.Sort), Projection: projection(index),
		})
	}
	return &made
}

func projection(index tables.Index) *awsdynamodb.CfnTable_ProjectionProperty {
	p := &awsdynamodb.CfnTable_ProjectionProperty{ProjectionType: jsii.String(string(index.Projection))}
	if index.Projection == tables.ProjectSome {
		p.NonKeyAttributes = jsii.Strings(index.Attributes...)
	}
	return p
}
