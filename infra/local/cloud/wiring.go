package cloud

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/infra/local/front"
	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/local/lambda"
	"github.com/haatline/haatline/infra/local/live"
	"github.com/haatline/haatline/infra/local/schedules"
	"github.com/haatline/haatline/infra/local/sms"
	"github.com/haatline/haatline/infra/local/starts"
	"github.com/haatline/haatline/infra/local/streams"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/sdkhttp"
	"github.com/haatline/haatline/shared/whatsapp"
)

// startFunctions starts an instance of every function, so that a function that cannot start is noticed at once.
func (c *Cloud) startFunctions(ctx context.Context) error {
	warming, ctx := errgroup.WithContext(ctx)
	for _, function := range c.config.Functions {
		last := &lastLine{}
		var invoked func(event []byte)
		if c.config.Invoked != nil {
			invoked = func(event []byte) { c.config.Invoked(function.Name, event) }
		}
		pool := lambda.NewPool(lambda.Function{
			Name:      function.Name,
			Bootstrap: c.config.bootstrap(function.Name),
			Env: c.config.environment(function, c.endpoint, c.Addresses.WhatsApp, c.Addresses.Files,
				c.Addresses.Live),
			Timeout:        function.Timeout,
			MemoryMB:       function.MemoryMB,
			MaxConcurrency: maxConcurrency,
			Idle:           cmp.Or(c.config.Idle, usualIdle),
			Region:         region,
			Sampled:        c.config.Getenv(xrayDaemon) != "",
			Invoked:        invoked,
		}, func(line string) {
			last.set(line)
			if c.config.Line != nil {
				c.config.Line(function.Name, line)
			}
			c.console.Line(function.Name, line)
		})
		c.pools[function.Name] = pool
		warming.Go(func() error {
			if err := pool.Warm(ctx); err != nil {
				return fmt.Errorf("start function %s: %w%s", function.Name, err, last.reason())
			}
			return nil
		})
	}
	return warming.Wait()
}

// lastLine keeps the last line that a function wrote, which most likely says why it does not start. Of a panic it keeps
// the first line, which names the cause.
type lastLine struct {
	mu       sync.Mutex
	text     string
	panicked bool
}

func (l *lastLine) set(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.panicked {
		l.text = text
		l.panicked = strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ")
	}
}

func (l *lastLine) reason() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" {
		return ""
	}
	return ": " + l.text
}

// connectStreams starts every stream source of the topology.
func (c *Cloud) connectStreams(ctx context.Context) error {
	database := engine.Client(c.endpoint)
	api := dynamodbstreams.New(dynamodbstreams.Options{
		BaseEndpoint: aws.String(c.endpoint),
		Region:       region,
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		Retryer:      aws.NopRetryer{},
	}, func(options *dynamodbstreams.Options) { options.HTTPClient = sdkhttp.Client(options.HTTPClient) })
	for _, function := range c.config.Functions {
		for _, declared := range function.Streams {
			name := declared.Table.Name(stage)
			table, err := database.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(name)})
			if err != nil {
				return fmt.Errorf("find stream of %s: %w", name, err)
			}
			if table.Table.LatestStreamArn == nil {
				return fmt.Errorf("table %s has no stream", name)
			}
			config, err := c.streamConfig(function, declared, *table.Table.LatestStreamArn)
			if err != nil {
				return err
			}
			config.API = api
			source, err := streams.New(config)
			if err != nil {
				return fmt.Errorf("connect %s to %s: %w", function.Name, name, err)
			}
			c.running.Go(func() { source.Run(c.context) })
		}
	}
	return nil
}

func (c *Cloud) streamConfig(function topology.Function, declared topology.StreamSource,
	arn string) (streams.Config, error) {
	name := declared.Table.Name(stage)
	pool := c.pools[function.Name]
	config := streams.Config{
		Function:       function.Name,
		FunctionARN:    pool.Function().ARN(),
		Table:          name,
		StreamARN:      arn,
		Region:         region,
		BatchSize:      declared.BatchSize,
		Parallelism:    declared.Parallelism,
		MaxAttempts:    declared.MaxAttempts,
		MaxRecordAge:   declared.MaxRecordAge,
		BatchingWindow: declared.BatchingWindow,
		Invoke:         pool.Invoke,
		Checkpoint:     c.config.path("checkpoints", function.Name+"-"+name+".json"),
		FailuresDir:    c.config.path("failures", function.Name),
		Log:            c.log,
		Now:            time.Now,
		Backoff:        streams.Backoff,
	}
	for _, filter := range declared.Filters {
		pattern, err := streams.ParsePattern(filter)
		if err != nil {
			return config, fmt.Errorf("function %s: %w", function.Name, err)
		}
		config.Patterns = append(config.Patterns, pattern)
	}
	return config, nil
}

// connectSchedules starts every schedule of the topology.
func (c *Cloud) connectSchedules(context.Context) error {
	var list []schedules.Schedule
	for _, function := range c.config.Functions {
		for _, declared := range function.Schedules {
			list = append(list, schedules.Schedule{
				Name: declared.Name, Expression: declared.Expression, Input: declared.Input, Function: function.Name,
			})
		}
	}
	var err error
	if c.clock, err = schedules.New(list, c.Invoke, c.log); err != nil {
		return err
	}
	c.running.Go(func() { c.clock.Run(c.context) })
	return nil
}

// serve starts serving the front and the simulated WhatsApp.
func (c *Cloud) serve(ctx context.Context) error {
	handler, err := c.frontHandler()
	if err != nil {
		return err
	}
	numbers := map[string]string{demoPhoneID: demoPhone}
	if c.config.Demo {
		numbers[storePhoneID] = storePhone
	}
	c.simulator, err = whatsappsim.New(whatsappsim.Options{
		WebhookURL: c.Addresses.HTTP + webhookPath,
		Carry:      c.carry,
		FlowURL:    c.Addresses.HTTP + flowPath,
		AppSecret:  c.config.appSecret(),
		GatewayURL: c.Addresses.HTTP + gatewayPath + "/" + defaultTenant, GatewaySecret: c.config.gatewaySecret(),
		AccessToken:  c.config.Setting("WHATSAPP_ACCESS_TOKEN", ""),
		PhoneNumbers: numbers,
		WABAID:       demoWABA,
		Fields:       whatsapp.Fields(),
		TemplatesDir: c.config.templatesDir(),
		Now:          time.Now,
		Logger:       slog.New(slog.NewJSONHandler(c.console.Writer("whatsapp"), nil)),
	})
	if err != nil {
		return fmt.Errorf("start simulated WhatsApp: %w", err)
	}
	if err := c.openWindows(ctx); err != nil {
		return err
	}
	objects, err := files.Handler(c.config.path("files"))
	if err != nil {
		return err
	}
	stores := http.NewServeMux()
	stores.Handle("/", objects)
	stores.Handle(sms.Path, &sms.Server{Log: slog.New(slog.NewJSONHandler(c.console.Writer("sms"), nil))})
	stores.Handle(starts.Path+"/", &starts.Server{Start: c.startLater})
	stores.Handle(eum.Path+"/", &eum.Server{
		WhatsApp: c.simulator, Token: c.config.Setting("WHATSAPP_ACCESS_TOKEN", ""), WABA: demoWABA, Region: region,
		Files: c.Addresses.Files, Client: &http.Client{Timeout: time.Minute}})
	c.emails = &email.Server{
		Log: slog.New(slog.NewJSONHandler(c.console.Writer("email"), nil)), Tell: c.tell, Region: region}
	stores.Handle(email.Path+"/", c.emails)
	console, err := url.Parse(c.Addresses.HTTP)
	if err != nil {
		return err
	}
	c.files = c.listen(c.ports.files, files.ForConsole(console.Port(), objects, guard.Shown(stores)))
	c.front = c.listen(c.ports.http, handler)
	c.whatsapp = c.listen(c.ports.whatsapp, guard.Refuse(c.simulator))
	if c.engine != nil {
		go c.watchEngine()
	}
	if c.config.Reload {
		c.running.Go(func() { c.config.followSources(c.context, c.built, c.reload) })
	}
	return nil
}

// startLater starts a function for an event, and waits for nothing. If all its instances are busy the event waits, as
// in Lambda. It reports false if there is no such function.
func (c *Cloud) startLater(function string, event []byte) bool {
	pool, known := c.pools[function]
	if !known {
		return false
	}
	c.running.Go(func() {
		if _, err := pool.Invoke(c.context, event); err != nil && c.context.Err() == nil {
			c.log.Warn("a start for an event has failed", "function", function, "error", err)
		}
	})
	return true
}

func (c *Cloud) listen(listener net.Listener, handler http.Handler) *http.Server {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			c.failed <- fmt.Errorf("serve %s: %w", listener.Addr(), err)
		}
	}()
	return server
}

func (c *Cloud) watchEngine() {
	err := <-c.engine.Done()
	if c.context.Err() == nil {
		c.failed <- fmt.Errorf("the DynamoDB engine has ended: %v", err)
	}
}

// untilStop returns a handler whose requests end when the cloud stops. A WebSocket would go on.
func (c *Cloud) untilStop(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(c.context, cancel)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// admit asks the function that admits people in sessions to the live channel.
func (c *Cloud) admit(ctx context.Context, asked admission.Request) (answer admission.Answer, err error) {
	event, err := json.Marshal(asked)
	if err != nil {
		return answer, err
	}
	said, err := c.Invoke(ctx, topology.LiveAuthorizer.Name, event)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(said, &answer)
}

// frontHandler returns the topology's HTTP API and the additional routes of the local cloud.
func (c *Cloud) frontHandler() (http.Handler, error) {
	mux := http.NewServeMux()
	var verifier *identity.Verifier
	if c.config.JWTIssuer != "" {
		var err error
		if verifier, err = identity.NewRemoteVerifier(c.context, c.config.JWTIssuer, time.Now); err != nil {
			return nil, err
		}
	} else {
		issuer, err := Issuer(c.config.Dir, c.Addresses.HTTP)
		if err != nil {
			return nil, err
		}
		if name := topology.ForTokens().Name; c.pools[name] != nil {
			issuer.PreToken = func(event []byte) ([]byte, error) { return c.Invoke(c.context, name, event) }
		}
		if c.Addresses.Token, err = operatorToken(c.config, issuer); err != nil {
			return nil, err
		}
		verifier = identity.NewVerifier(issuer, time.Now)
		mux.Handle("GET /.well-known/", issuer)
		c.signInPages(issuer).Register(mux)
	}
	c.live = c.listen(c.ports.live, c.untilStop(&live.Server{Verifier: verifier, Admit: c.admit, Log: c.log}))
	gateway := &front.Gateway{
		Region: region, Verifier: verifier, Invoke: c.Invoke, Now: time.Now, Log: c.log, Origin: front.LocalOrigin}
	for _, function := range c.config.Functions {
		if function.Sessions {
			gateway.Authorizer = function.Name
		}
		for _, route := range function.Routes {
			gateway.Routes = append(gateway.Routes, front.Route{
				Method: route.Method, Path: route.Path, For: route.For, Function: function.Name,
			})
		}
	}
	mux.Handle("POST "+PreTokenPath, guard.Refuse(http.HandlerFunc(c.servePreToken)))
	mux.Handle("POST /_local/schedules/{name}", guard.Refuse(http.HandlerFunc(c.serveTrigger)))
	mux.Handle("POST "+TextsPath, guard.Refuse(http.HandlerFunc(c.serveText)))
	mux.Handle("POST "+NoticesPath, guard.Refuse(http.HandlerFunc(c.serveNotice)))
	mux.Handle("GET "+EmailsPath, guard.Refuse(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.emails.List(w, r)
	})))
	mux.Handle("POST "+EmailsPath, guard.Refuse(http.HandlerFunc(c.serveEmail)))
	c.consolePage().Register(mux)
	c.phone().Register(mux)
	return c.teaching(gatewayOr(mux, gateway)), nil
}
