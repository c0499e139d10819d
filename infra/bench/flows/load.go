package flows

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

const (
	clients = 8 // make calls at once
	// warmUnits is how many units warm the functions up.
	warmUnits = 80
)

// load puts load on a local cloud of its own.
type load struct {
	cloud    *cloud.Cloud
	dynamodb *dynamodb.Client
	http     *http.Client
	sent     []string // WhatsApp's ids of messages that were sent
}

// Result is what a flow has taken.
type Result struct {
	Units     int
	Took      time.Duration            // until the last unit was done
	Slowest   time.Duration            // 99 of 100 calls took at most this long
	CPU       map[string]time.Duration // by function, and of the local engine and the local cloud
	Memory    map[string]int64         // bytes at the end, likewise: its own, and its part of what processes share
	Functions Recorded                 // what the functions were called with and did; nil if it was not recorded
}

// Options say how flows run.
type Options struct {
	Root  string // the project's root
	Built string // a folder with the compiled functions
	// Variables are given to every function, "NAME=value".
	Variables []string
	Record    bool // writes down what the functions do. It slows the local cloud down.
	Local     bool // the garbage collector of the functions works as in the local cloud, and not as in AWS
}

// Run runs n units of a flow on a local cloud of its own.
func Run(ctx context.Context, o Options, f Flow, n int) (result Result, err error) {
	dir, err := os.MkdirTemp("", "haatline-flow")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	env := map[string]string{
		"HTTP_PORT": "0", "DYNAMODB_PORT": "0", "WHATSAPP_PORT": "0", "FILES_PORT": "0", "LIVE_PORT": "0",
		"LOCAL_DIR": dir}
	config, err := cloud.FromEnv(o.Root, func(name string) string { return env[name] })
	if err != nil {
		return Result{}, err
	}
	config.Built, config.Demo = o.Built, true
	config.Idle = time.Hour // the CPU time of a process that has ended cannot be read
	if o.Local {
		config.Idle = 4 * restFor // a flow is short: its memory is that of the functions that work in it
	}
	config.Watch = func(function, _, _ string) []string { return o.variables(function) }
	var rec *recorder
	if o.Record {
		rec = newRecorder()
		defer rec.close()
		config.Watch = func(function, engine, _ string) []string {
			return append(o.variables(function), "DYNAMODB_ENDPOINT="+rec.before(function, engine))
		}
		config.Invoked = rec.invoked
	}
	c, err := cloud.Start(ctx, config)
	if err != nil {
		return Result{}, err
	}
	defer c.Stop()
	l := &load{cloud: c, dynamodb: engine.Client(c.Addresses.DynamoDB), http: &http.Client{
		Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}}
	if f.Before != nil {
		if err := f.Before(l); err != nil {
			return Result{}, fmt.Errorf("prepare %s: %w", f.Name, err)
		}
	}
	if err := l.warm(f, n); err != nil {
		return Result{}, fmt.Errorf("warm up %s: %w", f.Name, err)
	}
	if rec != nil {
		rec.start()
		defer func() { result.Functions = rec.stop() }()
	}
	return l.run(f, n)
}

// variables returns what a function is given beside its own.
func (o Options) variables(function string) (all []string) {
	if f, is := topology.Named(function); is && !o.Local {
		for name, value := range f.Collector() {
			all = append(all, name+"="+value)
		}
	}
	return append(all, o.Variables...)
}

func (l *load) run(f Flow, n int) (Result, error) {
	before, err := l.count(f.Done)
	if err != nil {
		return Result{}, err
	}
	started := processes()
	result := Result{Units: n, CPU: map[string]time.Duration{}}
	var calls []time.Duration
	for i, step := range f.Steps {
		began, ended := time.Now(), time.Time{}
		took, err := l.drive(step, n)
		if err == nil && i == len(f.Steps)-1 {
			ended, err = l.doneBy(f, before+n)
		} else if err == nil {
			ended = l.rest()
		}
		if err != nil {
			return Result{}, err
		}
		result.Took += ended.Sub(began)
		calls = append(calls, took...)
	}
	for id, p := range processes() {
		result.CPU[p.name] += p.cpu - started[id].cpu
	}
	result.Memory = memory()
	slices.Sort(calls)
	result.Slowest = calls[len(calls)*99/100]
	return result, nil
}

// warm does some units more than n, so that every function has all its instances and its connections.
func (l *load) warm(f Flow, n int) error {
	before, err := l.count(f.Done)
	if err != nil {
		return err
	}
	for _, step := range f.Steps {
		if err := l.each(warmUnits, func(l *load, number int) error { return step(l, n+number) }); err != nil {
			return err
		}
	}
	_, err = l.doneBy(f, before+warmUnits)
	return err
}

// doneBy waits until so many units are done and the functions rest. It returns when they last did something.
func (l *load) doneBy(f Flow, want int) (time.Time, error) {
	for began := time.Now(); ; {
		worked := l.rest()
		done, err := l.count(f.Done)
		if err != nil || done == want {
			return worked, err
		}
		if done > want || time.Since(began) > patience {
			return worked, fmt.Errorf("%s: %d units are done, and %d were begun", f.Name, done, want)
		}
	}
}

const patience = 2 * time.Minute

// drive does a step of all units, and returns how long each call took.
func (l *load) drive(step func(l *load, unit int) error, n int) ([]time.Duration, error) {
	var next atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	var driving sync.WaitGroup
	for range clients {
		driving.Go(func() {
			for unit := int(next.Add(1)) - 1; unit < n; unit = int(next.Add(1)) - 1 {
				began := time.Now()
				err := step(l, unit)
				mu.Lock()
				took = append(took, time.Since(began))
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	driving.Wait()
	return took, failed
}

// each does a step n times and waits until the functions rest.
func (l *load) each(n int, step func(l *load, number int) error) error {
	_, err := l.drive(step, n)
	l.rest()
	return err
}

// The functions rest if none of them has taken CPU time for restFor.
const (
	restFor = 1500 * time.Millisecond
	look    = 50 * time.Millisecond
)

// rest waits until the functions rest, and returns when they last did something.
func (l *load) rest() time.Time {
	last, worked := time.Duration(0), time.Now()
	for time.Since(worked) < restFor {
		time.Sleep(look)
		var now time.Duration
		for _, p := range processes() {
			if p.name != Engine && p.name != Cloud {
				now += p.cpu
			}
		}
		if now != last {
			last, worked = now, time.Now()
		}
	}
	return worked
}

// says posts a text of a person as Meta does.
func (l *load) says(phone, from, id, text string) error {
	return l.webhook(phone, `"messages":[{"from":"%s","id":"wamid.%s","timestamp":"%d","type":"text",`+
		`"text":{"body":"%s"}}],"contacts":[{"profile":{"name":"Asha Rao"},"wa_id":"%[1]s"}],`,
		from, id, time.Now().Unix(), text)
}

// status posts that a message was delivered as Meta does. What is posted differs by its number.
func (l *load) status(id, to string, number int) error {
	return l.webhook(desk, `"statuses":[{"id":"%s","status":"delivered","timestamp":"%d","recipient_id":"%s",`+
		`"biz_opaque_callback_data":"%d"}],`, id, time.Now().Unix(), to, number)
}

func (l *load) webhook(phone, format string, values ...any) error {
	body := `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[{"field":"messages",` +
		`"value":{` + fmt.Sprintf(format, values...) + `"messaging_product":"whatsapp",` +
		`"metadata":{"display_phone_number":"15550783881","phone_number_id":"` + phone + `"}}}]}]}`
	mac := hmac.New(sha256.New, []byte("local-app-secret"))
	mac.Write([]byte(body))
	return l.call(http.MethodPost, "/webhooks/whatsapp", body,
		"X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
}

func (l *load) api(method, path, key, body string) error {
	return l.call(method, path, body, "Authorization", "Bearer "+l.cloud.Addresses.Token, "Idempotency-Key", key)
}

func (l *load) call(method, path, body string, headers ...string) error {
	request, err := http.NewRequest(method, l.cloud.Addresses.HTTP+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := l.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s %s", method, path, response.Status, answer)
	}
	return err
}

// learnSent learns WhatsApp's ids of the messages that were sent.
func (l *load) learnSent() error {
	return l.scan(counted{&tables.Messages, "itemType = :type AND deliveryStatus = :state",
		map[string]string{":type": "MESSAGE", ":state": "read"}}, types.SelectAllAttributes,
		func(page *dynamodb.ScanOutput) {
			for _, item := range page.Items {
				pk, _ := item["pk"].(*types.AttributeValueMemberS)
				if _, id, is := strings.Cut(pk.Value, "#"); is {
					l.sent = append(l.sent, id)
				}
			}
		})
}

// count counts items.
func (l *load) count(of counted) (n int, err error) {
	return n, l.scan(of, types.SelectCount, func(page *dynamodb.ScanOutput) { n += int(page.Count) })
}

func (l *load) scan(of counted, what types.Select, each func(page *dynamodb.ScanOutput)) error {
	input := &dynamodb.ScanInput{
		TableName: aws.String(of.table.Name(tables.Dev)), FilterExpression: aws.String(of.condition), Select: what}
	for name, value := range of.values {
		if input.ExpressionAttributeValues == nil {
			input.ExpressionAttributeValues = map[string]types.AttributeValue{}
		}
		input.ExpressionAttributeValues[name] = &types.AttributeValueMemberS{Value: value}
	}
	pages := dynamodb.NewScanPaginator(l.dynamodb, input)
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			return err
		}
		each(page)
	}
	return nil
}
