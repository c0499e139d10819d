// Package restore is the command that brings back what a deployment's tables held at an earlier time. It has DynamoDB
// restore the tables beside those that are in use, and copies differences back, each on the condition that nobody has
// changed the item meanwhile. The tables in use stay, with their streams, indexes and settings.
package restore

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// kept maps the tables that are never restored to the reason.
var kept = map[string]string{
	tables.Outbox.ID:          "what was to be sent then has been sent, or comes too late",
	tables.OutboxSequences.ID: "it counts what has been sent",
	tables.RateLimits.ID:      "it counts the calls of a day",
}

// restorable returns the tables that the command restores.
func restorable() []tables.Table {
	return slices.DeleteFunc(tables.All(), func(t tables.Table) bool { return t.Unused || kept[t.ID] != "" })
}

// order is what the command is to do.
type order struct {
	stage   tables.Stage
	at      time.Time
	tables  []tables.Table
	changed bool // bring back also what has another content now
	write   bool
	remove  bool
}

// Run makes the copies of the first call, compares them with the tables in use, and writes what the arguments ask for.
// It can be repeated at any time. It prints what it has found and done by table.
func Run(ctx context.Context, args []string, out io.Writer) error {
	do, err := read(args, out)
	if err != nil {
		return err
	}
	account, err := deployment.AWS(ctx)
	if err != nil {
		return err
	}
	who, err := deployment.Caller(ctx, account)
	if err != nil {
		return err
	}
	client := dynamodb.NewFromConfig(account)
	r := restoring{order: do, client: client, out: out, by: audit.Actor{Subject: who, RequestID: "make restore"}}
	r.db = dynamo.Wrap(client, do.stage)
	r.rooms = registry.Open(messaging.Config{DB: r.db, Now: time.Now, IndexLag: 2 * time.Second})
	if do.remove {
		return r.removeCopies(ctx)
	}
	waits, err := r.makeCopies(ctx)
	if err != nil || waits {
		return err
	}
	return r.all(ctx)
}

func read(args []string, out io.Writer) (order, error) {
	flags := flag.NewFlagSet("restore", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod")
	at := flags.String("at", "", "the time to which the tables are restored beside: 2026-11-20T09:00:00Z")
	list := flags.String("tables", "", "the tables, separated by commas: "+strings.Join(ids(restorable()), ","))
	changed := flags.Bool("changed", false, "bring back also items that have another content now, not only those that "+
		"are gone")
	write := flags.Bool("write", false, "write; without it the command only says what it would do")
	remove := flags.Bool("remove-copies", false, "delete the tables beside")
	if err := usage.Parse(flags, args, out); err != nil {
		return order{}, err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil {
		return order{}, err
	}
	point, err := time.Parse(time.RFC3339, *at)
	if err != nil || point.After(time.Now()) {
		return order{}, usage.Wrong("-at %q is no time that has passed, such as 2026-11-20T09:00:00Z", *at)
	}
	do := order{stage: stage, at: point.UTC(), changed: *changed, write: *write, remove: *remove}
	for id := range strings.SplitSeq(*list, ",") {
		i := slices.IndexFunc(restorable(), func(t tables.Table) bool { return t.ID == id })
		if reason := kept[id]; reason != "" {
			return order{}, usage.Wrong("-tables: %s is not restored: %s", id, reason)
		}
		if i < 0 {
			return order{}, usage.Wrong("-tables %q: one is missing or unknown; those are %s", *list,
				strings.Join(ids(restorable()), ","))
		}
		do.tables = append(do.tables, restorable()[i])
	}
	return do, nil
}

func ids(list []tables.Table) []string {
	all := make([]string, len(list))
	for i, table := range list {
		all[i] = table.ID
	}
	return all
}

// restoring is one run of the command.
type restoring struct {
	order
	client *dynamodb.Client
	db     *dynamo.Client
	rooms  *messaging.Domain
	by     audit.Actor
	out    io.Writer
}

// all compares every table, writes what is asked for, and repeats the erasures.
func (r *restoring) all(ctx context.Context) error {
	erased, err := r.erasedSince(ctx)
	if err != nil {
		return fmt.Errorf("read the erasures: %s", deployment.Why(err))
	}
	for _, table := range r.tables {
		c := comparison{restoring: r, table: table, erased: erased, left: map[string]int{}}
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("%s: %s", table.ID, deployment.Why(err))
		}
		fmt.Fprintln(r.out, c.says())
	}
	if err := r.repeat(ctx, erased); err != nil {
		return err
	}
	if !r.write {
		fmt.Fprintln(r.out, "nothing was written: ARGS=\"… -write\" writes it")
	}
	return nil
}
