package guard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/local/guard"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

func TestWebPagesAreRefusedAndCommandLinesAreNot(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Method+" "+r.URL.RequestURI())
	}))
	defer behind.Close()
	proxy, err := guard.Proxy(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		method, host, header, value string
		want                        int
	}{
		"curl":                             {"POST", "127.0.0.1:8000", "", "", 200},
		"by the name localhost":            {"POST", "localhost:8000", "", "", 200},
		"over IPv6":                        {"POST", "[::1]:8000", "", "", 200},
		"without a port":                   {"GET", "127.0.0.1", "", "", 200},
		"an address typed into a browser":  {"GET", "127.0.0.1:8000", "Sec-Fetch-Site", "none", 200},
		"a page's script":                  {"POST", "127.0.0.1:8000", "Origin", "https://evil.example", 403},
		"a file's script":                  {"POST", "127.0.0.1:8000", "Origin", "null", 403},
		"an empty Origin":                  {"POST", "127.0.0.1:8000", "Origin", "", 403},
		"a preflight":                      {"OPTIONS", "127.0.0.1:8000", "Origin", "https://evil.example", 403},
		"an image in a page":               {"GET", "127.0.0.1:8000", "Sec-Fetch-Site", "cross-site", 403},
		"a page by a rebound name":         {"POST", "evil.example:8000", "", "", 403},
		"a name that begins like ours":     {"POST", "localhost.evil.example:8000", "", "", 403},
		"a page of another port here":      {"POST", "127.0.0.1:8000", "Origin", "http://127.0.0.1:3000", 403},
		"a page of this very port":         {"GET", "127.0.0.1:8000", "Sec-Fetch-Site", "same-origin", 403},
		"a page of another port, an image": {"GET", "127.0.0.1:8000", "Sec-Fetch-Site", "same-site", 403},
		"a word that browsers do not say":  {"GET", "127.0.0.1:8000", "Sec-Fetch-Site", "NONE", 403},
		"every address of the machine":     {"POST", "0.0.0.0:8000", "", "", 403},
		"an address in a name":             {"POST", "127.0.0.1.evil.example:8000", "", "", 403},
		"a name in a name":                 {"POST", "localhost:8000@evil.example", "", "", 403},
		"a name with a dot":                {"POST", "localhost.:8000", "", "", 403},
		"two names":                        {"POST", "127.0.0.1, evil.example", "", "", 403},
		"a number for an address":          {"POST", "2130706433:8000", "", "", 403},
		"the machine's own network":        {"POST", "192.168.1.2:8000", "", "", 403},
		"no Host":                          {"POST", "", "", "", 403},
	} {
		request := httptest.NewRequestWithContext(t.Context(), c.method, "/simulator/say?a=b", nil)
		request.Host = c.host
		if c.header != "" {
			request.Header.Set(c.header, c.value)
		}
		recorder := httptest.NewRecorder()
		proxy.ServeHTTP(recorder, request)
		if recorder.Code != c.want ||
			(c.want == 200) != strings.Contains(recorder.Body.String(), "/simulator/say?a=b") {
			t.Errorf("%s: %d %s", name, recorder.Code, recorder.Body)
		}
		if recorder.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: a page may read the answer", name)
		}
	}
}

func TestAnSDKReachesTheEngineThroughTheProxy(t *testing.T) {
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	proxy, err := guard.Proxy(e.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(proxy)
	defer server.Close()
	client := engine.Client(server.URL)
	if err := engine.CreateTables(t.Context(), client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	if list, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil ||
		len(list.TableNames) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// once is a request's body that a server closes as soon as the answer begins: who looks for its end after that fails.
type once struct {
	io.Reader
	answered chan struct{}
}

func (o *once) Read(p []byte) (int, error) {
	if n, _ := o.Reader.Read(p); n > 0 {
		return n, io.EOF
	}
	<-o.answered
	return 0, http.ErrBodyReadAfterClose
}

func (o *once) Close() error { return nil }

type answering struct {
	*httptest.ResponseRecorder
	begun func()
}

func (a answering) WriteHeader(status int) {
	a.ResponseRecorder.WriteHeader(status)
	a.begun()
}

func TestAnAnswerThatBeginsEarlyArrivesWhole(t *testing.T) {
	const size = 4 << 20
	closed := make(chan struct{})
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(io.LimitReader(r.Body, 5))
		_, _ = w.Write(got)
		w.(http.Flusher).Flush()
		select {
		case <-closed:
		case <-r.Context().Done():
		}
		_, _ = w.Write(make([]byte, size))
	}))
	defer behind.Close()
	proxy, err := guard.Proxy(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	request := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1:8000/",
		&once{strings.NewReader("hello"), answered})
	request.ContentLength = 5
	recorder := answering{httptest.NewRecorder(), func() {
		close(answered)
		time.AfterFunc(100*time.Millisecond, func() { close(closed) })
	}}
	proxy.ServeHTTP(recorder, request)
	if got := recorder.Body; got.Len() != size+5 || !strings.HasPrefix(got.String(), "hello") {
		t.Errorf("%d bytes arrived", got.Len())
	}
}

// Pictures in a page of another port here are shown; nothing else of it passes.
func TestAPageHereMayShowAFile(t *testing.T) {
	sameSite := map[string]string{"Sec-Fetch-Site": "same-site"}
	files := guard.Shown(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for name, c := range map[string]struct {
		method, host string
		headers      map[string]string
		want         int
	}{
		"a picture":                 {"GET", "127.0.0.1:3002", sameSite, 200},
		"a command line":            {"PUT", "127.0.0.1:3002", nil, 200},
		"a picture of another site": {"GET", "127.0.0.1:3002", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"a picture by another name": {"GET", "evil.example:3002", sameSite, 403},
		"a form":                    {"POST", "127.0.0.1:3002", sameSite, 403},
		"a script of another port": {"GET", "127.0.0.1:3002", map[string]string{
			"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"}, 403},
	} {
		request := httptest.NewRequestWithContext(t.Context(), c.method, "/haatline-files/a", nil)
		request.Host = c.host
		for header, value := range c.headers {
			request.Header.Set(header, value)
		}
		recorder := httptest.NewRecorder()
		if files.ServeHTTP(recorder, request); recorder.Code != c.want {
			t.Errorf("%s: %d, want %d", name, recorder.Code, c.want)
		}
	}
}
