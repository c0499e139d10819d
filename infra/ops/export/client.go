package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// attempts bounds how often one request is made. With the waits this takes about a minute.
	attempts  = 9
	firstWait = 250 * time.Millisecond
	longest   = 20 * time.Second
	// worthTelling is the shortest wait that the user is told about.
	worthTelling = 2 * time.Second

	patience  = 35 * time.Second // bounds one request; longer than the API's own limit
	maxAnswer = 32 << 20
)

var (
	// errGone means that the API answered 404.
	errGone = errors.New("is not there")
	// errConflict means that the API answered 409.
	errConflict = errors.New("not as things stand")
)

// client reads the API and retries requests that may succeed later.
type client struct {
	api   string // without a trailing slash
	http  *http.Client
	token func() (string, error) // called again when the API refuses the last token
	wait  func(context.Context, time.Duration) error
	tell  func(string) // informs the user about waits

	mu   sync.Mutex // guards last, and serialises calls of tell
	last string     // the token in use
}

func newClient(api string, token func() (string, error), tell func(string)) *client {
	return &client{
		api: api, token: token, wait: sleep, tell: tell,
		http: &http.Client{
			Timeout:       patience,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// get reads a path of the API into an object. It returns errGone for a 404, and errConflict for a 409. Any other error
// is one line that names the path.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	return c.request(ctx, call{method: http.MethodGet, path: path, query: query}, into)
}

// post makes a request whose answer has no content. It returns the same errors as get.
func (c *client) post(ctx context.Context, path string) error {
	return c.request(ctx, call{method: http.MethodPost, path: path}, nil)
}

// call is what is asked of the API.
type call struct {
	method, path string
	query        url.Values
	body         []byte // JSON; nil for none
}

// address returns the address of a call.
func (c *client) address(of call) string {
	if len(of.query) > 0 {
		return c.api + of.path + "?" + of.query.Encode()
	}
	return c.api + of.path
}

func (c *client) request(ctx context.Context, of call, into any) error {
	path := of.path
	token, err := c.current("")
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		a := c.ask(ctx, of, token)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case a.err == nil && a.status == http.StatusNoContent:
			return nil
		case a.err == nil && a.status == http.StatusOK:
			if err := json.Unmarshal(a.body, into); err != nil {
				return fmt.Errorf("read %s: the answer is not what the API answers", path)
			}
			return nil
		case a.status == http.StatusNotFound:
			return errGone
		case a.status == http.StatusConflict:
			return fmt.Errorf("read %s: %w: the API answers %s", path, errConflict, a.said())
		case a.status == http.StatusUnauthorized:
			if token, err = c.current(token); err != nil {
				return fmt.Errorf("read %s: %w", path, err)
			}
			attempt-- // another token: a new request
			continue
		case a.err == nil && a.status != http.StatusTooManyRequests && a.status < http.StatusInternalServerError:
			return fmt.Errorf("read %s: the API answers %s", path, a.said())
		case attempt == attempts:
			return fmt.Errorf("read %s: %s, %d times", path, a.said(), attempts)
		}
		pause := max(a.after, min(firstWait<<(attempt-1), longest))
		if pause >= worthTelling {
			c.mu.Lock() // several requests may wait at once
			c.tell(fmt.Sprintf("%s: %s; trying again in %s", path, a.said(), pause))
			c.mu.Unlock()
		}
		if err := c.wait(ctx, pause); err != nil {
			return err
		}
	}
}

// current returns the token to use after the API refused one. It returns an error if there is no other token.
func (c *client) current(refused string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != "" && c.last != refused {
		return c.last, nil
	}
	token, err := c.token()
	if err != nil {
		return "", err
	}
	if token == refused {
		return "", errors.New(
			"the API does not take the token (any more: it is good for an hour; with -token-file, a new one in the " +
				"file is taken while the export runs)")
	}
	c.last = token
	return token, nil
}

// answered is the result of one request.
type answered struct {
	status int
	body   []byte
	after  time.Duration // the wait that the API asked for
	err    error
}

func (c *client) ask(ctx context.Context, of call, token string) answered {
	request, err := http.NewRequestWithContext(ctx, of.method, c.address(of), bytes.NewReader(of.body))
	if err != nil {
		return answered{err: errors.New("the address is none")}
	}
	if of.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := c.http.Do(request)
	if err != nil {
		var transport *url.Error
		if errors.As(err, &transport) {
			err = transport.Err
		}
		return answered{err: fmt.Errorf("no answer: %w", err)}
	}
	defer response.Body.Close()
	a := answered{status: response.StatusCode}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		a.after = min(time.Duration(seconds)*time.Second, time.Minute)
	}
	if a.body, a.err = io.ReadAll(io.LimitReader(response.Body, maxAnswer)); a.err != nil {
		a.err = fmt.Errorf("the answer broke off: %w", a.err)
		a.status = 0 // what came is not the answer
	}
	return a
}

// said describes a failure for a person: the status and the API's problem.
func (a answered) said() string {
	if a.err != nil {
		return a.err.Error()
	}
	var problem struct {
		Detail string `json:"detail"`
		Errors []struct {
			Message  string `json:"message"`
			Location string `json:"location"`
		} `json:"errors"`
	}
	_ = json.Unmarshal(a.body, &problem) // an answer from API Gateway itself is no problem document
	text := fmt.Sprintf("HTTP %d %s", a.status, problem.Detail)
	for _, e := range problem.Errors {
		text += "; " + e.Location + " " + e.Message
	}
	return strings.TrimSpace(text)
}

// pages reads all pages of a list and passes its objects to each.
func (c *client) pages(ctx context.Context, path string, query url.Values, each func([]json.RawMessage) error) error {
	_, err := c.pagesOf(ctx, call{method: http.MethodGet, path: path, query: query}, each)
	return err
}

// pagesOf reads all pages that a call begins, passes their objects to each, and returns the last page.
func (c *client) pagesOf(
	ctx context.Context, of call, each func([]json.RawMessage) error,
) (page map[string]json.RawMessage, err error) {
	of.query = cloned(of.query)
	of.query.Set("limit", "100")
	for {
		page = nil
		if err := c.request(ctx, of, &page); err != nil {
			return nil, err
		}
		var rows []json.RawMessage
		var cursor string
		if err := json.Unmarshal(page["items"], &rows); err != nil {
			return nil, fmt.Errorf("read %s: the answer has no list of items", of.path)
		}
		if text, more := page["cursor"]; more {
			if err := json.Unmarshal(text, &cursor); err != nil {
				return nil, fmt.Errorf("read %s: the cursor is none", of.path)
			}
		}
		if err := each(rows); err != nil {
			return nil, err
		}
		if cursor == "" {
			return page, nil
		}
		if cursor == of.query.Get("cursor") {
			return nil, fmt.Errorf("read %s: the list does not go on", of.path)
		}
		of.query.Set("cursor", cursor)
	}
}

func cloned(query url.Values) url.Values {
	copied := url.Values{}
	for name, values := range query {
		copied[name] = append([]string{}, values...)
	}
	return copied
}
