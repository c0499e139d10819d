package cloud

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/infra/local/database"
	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/local/lambda"
	"github.com/haatline/haatline/infra/local/logs"
	"github.com/haatline/haatline/infra/local/queue"
	"github.com/haatline/haatline/infra/local/schedules"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// stopGrace bounds how long running invocations may take to end.
const stopGrace = 5 * time.Second

// Cloud is a running local cloud.
type Cloud struct {
	Addresses Addresses

	config  Config
	console *logs.Console
	log     *slog.Logger
	failed  chan error

	lock      *os.File
	ports     *ports
	engine    *engine.Engine
	pools     map[string]*lambda.Pool
	clock     *schedules.Clock
	simulator *whatsappsim.Server
	emails    *email.Server
	notices   *queue.Queue // of what AWS End User Messaging tells of WhatsApp; nil if no function has one
	front     *http.Server
	whatsapp  *http.Server
	files     *http.Server // the stand-in for the bucket of files
	live      *http.Server // the stand-in for AppSync Events
	dynamodb  *http.Server // the guard in front of the engine

	endpoint string // the engine's own address, which only the functions use
	database *dynamo.Client

	built    map[string]stamp // the sources before they were first built; nil if their changes are not followed
	context  context.Context  // ends with Stop; sources and schedules use it
	cancel   context.CancelFunc
	running  sync.WaitGroup
	stopOnce sync.Once
}

// Start starts a cloud and returns when all of it is healthy. If anything fails, it leaves nothing running. ctx bounds
// only the start; call Stop to end the cloud.
func Start(ctx context.Context, config Config) (*Cloud, error) {
	console := logs.New(config.Logs, config.Colour)
	console.Quiet = config.Quiet
	c := &Cloud{
		config:  config,
		console: console,
		log:     slog.New(slog.NewJSONHandler(console.Writer("cloud"), nil)),
		failed:  make(chan error, 4),
		pools:   map[string]*lambda.Pool{},
	}
	c.context, c.cancel = context.WithCancel(context.Background())
	if err := c.start(ctx); err != nil {
		c.Stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return c, nil
}

func (c *Cloud) start(ctx context.Context) error {
	err := c.config.checkSecrets()
	if err != nil {
		return err
	}
	if c.lock, err = lockDir(c.config); err != nil {
		return err
	}
	_ = os.Remove(c.config.path("addresses.json")) // left by a cloud that was killed
	if c.ports, err = openPorts(c.config); err != nil {
		return err
	}
	c.Addresses = Addresses{
		HTTP:     "http://" + c.ports.http.Addr().String(),
		WhatsApp: "http://" + c.ports.whatsapp.Addr().String(),
		Files:    "http://" + c.ports.files.Addr().String(),
		Live:     "http://" + c.ports.live.Addr().String(),
		DynamoDB: c.config.DynamoDBEndpoint,
		Tenant:   defaultTenant,
	}
	if err := c.startEngine(ctx); err != nil {
		return err
	}
	c.database = dynamo.Wrap(engine.Client(c.endpoint), stage)
	if c.config.Reload {
		c.built = c.config.sources()
	}
	preparing, preparingContext := errgroup.WithContext(ctx)
	preparing.Go(func() error { return Build(preparingContext, c.config) })
	preparing.Go(func() error { return c.prepareTables(preparingContext) })
	if err := preparing.Wait(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		c.startFunctions, c.connectStreams, c.connectSchedules, c.connectQueues, c.serve} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return writeAddresses(c.config, c.Addresses)
}

// startEngine starts the engine, and installs it first if it is missing.
func (c *Cloud) startEngine(ctx context.Context) error {
	if c.config.DynamoDBEndpoint != "" {
		c.endpoint = c.config.DynamoDBEndpoint
		return nil
	}
	if _, err := engine.Binary(c.config.Root); errors.Is(err, engine.ErrNotInstalled) {
		fmt.Fprintln(c.config.Progress, "installing the DynamoDB engine and the CDK with npm, once …")
		if err := engine.Install(ctx, c.config.Root, c.config.Progress); err != nil {
			return err
		}
	}
	options := engine.Options{Root: c.config.Root, Host: privateHost(), NoSync: !c.config.Durable}
	if !c.config.InMemory {
		options.Path = c.config.path("dynamodb.db")
	}
	started, err := database.Start(ctx, options)
	if err != nil {
		return err
	}
	c.engine, c.endpoint = started, started.Endpoint
	// The engine answers web pages and checks no signatures, so its own port is not published.
	proxy, err := guard.Proxy(c.endpoint)
	if err != nil {
		return fmt.Errorf("guard the engine: %w", err)
	}
	c.dynamodb = c.listen(c.ports.dynamodb, proxy)
	c.Addresses.DynamoDB = "http://" + c.ports.dynamodb.Addr().String()
	return nil
}

func (c *Cloud) prepareTables(ctx context.Context) error {
	client := engine.Client(c.endpoint)
	if err := engine.CreateTables(ctx, client, tables.All(), stage); err != nil {
		return err
	}
	if err := seed(ctx, client); err != nil || !c.config.Demo {
		return err
	}
	return seedStore(ctx, client)
}

// Failed returns a channel with the error of an essential part that has ended unexpectedly.
func (c *Cloud) Failed() <-chan error { return c.failed }

// Kill ends an instance of the function at once, as if its host had crashed.
func (c *Cloud) Kill(function string) error {
	pool, ok := c.pools[function]
	if !ok {
		return fmt.Errorf("no function %s", function)
	}
	return pool.Kill()
}

// Invoke runs a function with an event and returns its answer.
func (c *Cloud) Invoke(ctx context.Context, function string, event []byte) ([]byte, error) {
	pool, ok := c.pools[function]
	if !ok {
		return nil, fmt.Errorf("no function %s", function)
	}
	return pool.Invoke(ctx, event)
}

// Trigger runs a schedule now and returns its function's answer.
func (c *Cloud) Trigger(ctx context.Context, schedule string) ([]byte, error) {
	return c.clock.Trigger(ctx, schedule)
}

// Stop ends everything in order: first incoming work, then running invocations after a few seconds, then the services
// that functions call, and the engine last.
func (c *Cloud) Stop() {
	c.stopOnce.Do(func() {
		deadline := time.Now().Add(stopGrace)
		if c.lock != nil { // otherwise the file belongs to the cloud that holds the lock
			_ = os.Remove(c.config.path("addresses.json"))
		}
		c.cancel()
		if c.front != nil {
			ctx, cancel := context.WithDeadline(context.Background(), deadline)
			_ = c.front.Shutdown(ctx)
			cancel()
		}
		var closing sync.WaitGroup
		for _, pool := range c.pools {
			closing.Go(func() { pool.Close(time.Until(deadline)) })
		}
		closing.Wait()
		c.running.Wait()
		if c.front != nil {
			c.front.Close()
		}
		if c.simulator != nil {
			c.simulator.Close()
		}
		if c.whatsapp != nil {
			c.whatsapp.Close()
		}
		if c.files != nil {
			c.files.Close()
		}
		if c.live != nil {
			c.live.Close()
		}
		if c.dynamodb != nil {
			c.dynamodb.Close()
		}
		if c.engine != nil {
			c.engine.Stop()
		}
		if c.ports != nil {
			c.ports.close()
		}
		if c.lock != nil {
			c.lock.Close()
		}
	})
}
