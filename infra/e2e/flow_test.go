package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/eventually"
)

// traceDaemon keeps the segments that X-Ray's daemon would get.
type traceDaemon struct {
	mu       sync.Mutex
	segments []traced
}

type traced struct {
	Name, ID    string
	ParentID    string `json:"parent_id"`
	Namespace   string
	Annotations map[string]string
}

func listen(t *testing.T) (*traceDaemon, string) {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	d := &traceDaemon{}
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := conn.Read(buffer)
			if err != nil {
				return
			}
			_, body, _ := bytes.Cut(buffer[:n], []byte("\n"))
			var s traced
			if err := json.Unmarshal(body, &s); err == nil {
				d.mu.Lock()
				d.segments = append(d.segments, s)
				d.mu.Unlock()
			}
		}
	}()
	return d, conn.LocalAddr().String()
}

// find is the first segment that passes, as soon as it has come.
func (d *traceDaemon) find(t *testing.T, what string, passes func(traced) bool) traced {
	t.Helper()
	for deadline := time.Now().Add(eventually.Limit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		d.mu.Lock()
		for _, s := range d.segments {
			if passes(s) {
				d.mu.Unlock()
				return s
			}
		}
		d.mu.Unlock()
	}
	t.Fatalf("no segment %s", what)
	return traced{}
}

// line is one of a function's, as the console shows it.
type line struct{ function, message, attributes string }

var lineForm = regexp.MustCompile(`^\S+ (` + functionNames() + `) +(?:INFO|WARN|ERROR) +([^=]*?)((?: \S+=.*)?)$`)

// functionNames returns a pattern of the names of all functions.
func functionNames() string {
	var names []string
	for _, f := range topology.Functions {
		names = append(names, f.Name)
	}
	return strings.Join(names, "|")
}

func linesOf(logs string) []line {
	var all []line
	for text := range strings.Lines(logs) {
		if found := lineForm.FindStringSubmatch(strings.TrimSpace(text)); found != nil {
			all = append(all, line{found[1], strings.TrimSpace(found[2]), found[3] + " "})
		}
	}
	return all
}

func (l line) attribute(name string) string {
	_, after, _ := strings.Cut(l.attributes, " "+name+"=")
	value, _, _ := strings.Cut(after, " ")
	return value
}

// measured adds up a metric of a function.
func measured(lines []line, function, metric string) (sum float64) {
	for _, l := range lines {
		if l.function == function {
			value, _ := strconv.ParseFloat(l.attribute(metric), 64)
			sum += value
		}
	}
	return sum
}

func TestAFlowIsFoundByOneIDInEveryLineSegmentAndMetric(t *testing.T) {
	t.Parallel()
	daemon, address := listen(t)
	var logs *lockedBuffer
	r := start(t, t.TempDir(), func(c *cloud.Config) {
		getenv := c.Getenv
		c.Getenv = func(name string) string {
			if name == "AWS_XRAY_DAEMON_ADDRESS" {
				return address
			}
			return getenv(name)
		}
		logs = c.Logs.(*lockedBuffer)
	})
	const path = "/v1/conversations/106540352242922:919876500001/messages"
	r.simulate(t, "/say", `{"from":"919876500001","text":"hello"}`)
	var list inbox
	r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 })
	flow := r.sendForFlow(t, path+"/text", `{"body":"one"}`)
	var page timeline
	r.get(t, path, &page,
		func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "read" })

	want := map[string]int{"messaging-api accepted": 1, "messaging-api done": 1, "outbox sent": 1, "status status": 3}
	var lines []line
	// the last lines come a little later
	for deadline := time.Now().Add(eventually.Limit); ; time.Sleep(50 * time.Millisecond) {
		lines = linesOf(logs.String())
		if measured(lines, "status", "StatusRead") == 1 || time.Now().After(deadline) {
			break
		}
	}
	began := map[string]string{}
	for _, l := range lines {
		if l.message == "metrics" {
			continue
		}
		id := l.attribute("correlationId")
		if id == "" {
			t.Errorf("a line of %s belongs to no flow: %s%s", l.function, l.message, l.attributes)
		}
		if id == flow {
			want[l.function+" "+l.message]--
		}
		if l.message == "logged" && l.attribute("kind") == "message" ||
			l.message == "processed" && l.attribute("kind") == "message" {
			began[l.function] = id
		}
	}
	for what, missing := range want {
		if missing != 0 {
			t.Errorf("%d lines of %q are missing in flow %s", missing, what, flow)
		}
	}
	if began["webhook"] == "" || began["webhook"] != began["inbound"] {
		t.Errorf("what came in is flow %v", began)
	}
	for metric, count := range map[[2]string]float64{
		{"inbound", "MessagesIn"}: 1, {"outbox", "MessagesOut"}: 1, {"status", "StatusSent"}: 1,
		{"status", "StatusDelivered"}: 1, {"status", "StatusRead"}: 1,
		{"webhook", "WriteUnits"}: 12, // a log entry is 3, and there are four
	} {
		if got := measured(lines, metric[0], metric[1]); got != count {
			t.Errorf("%s of %s is %v, want %v", metric[1], metric[0], got, count)
		}
	}
	if measured(lines, "outbox", "OutboxAge") <= 0 || measured(lines, "messaging-api", "WriteUnits") <= 0 ||
		measured(lines, "messaging-api", "ReadUnits") <= 0 {
		t.Error("no age of what was sent, or no units of the API")
	}
	// An answer that comes late leaves the statuses to say that the message went out.
	r.simulate(t, "/faults", `{"delayAnswer":"2s"}`)
	late := r.sendForFlow(t, path+"/text", `{"body":"two"}`)
	r.get(t, path, &page,
		func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "read" })
	in := map[string]int{}
	for _, l := range linesOf(logs.String()) {
		if l.attribute("correlationId") == late {
			in[l.function+" "+l.message]++
		}
	}
	if in["status status"] < 2 || in["status sent"] != 1 { // the line of the last may still be on its way
		t.Errorf("a flow whose answer is late has the lines %v", in)
	}
	daemon.find(t, "of the API",
		func(s traced) bool { return s.Name == "messaging-api" && s.Annotations["correlationId"] == flow })
	send := daemon.find(t, "of the sending",
		func(s traced) bool { return s.Name == "whatsapp.message" && s.Annotations["correlationId"] == flow })
	daemon.find(t, "of the call to WhatsApp",
		func(s traced) bool { return s.ParentID == send.ID && s.Namespace == "remote" })
	root := daemon.find(t, "of the relay", func(s traced) bool { return s.Name == "outbox" && s.ID == send.ParentID })
	daemon.find(t, "of the relay's calls to DynamoDB",
		func(s traced) bool { return s.Name == "DynamoDB" && s.ParentID == root.ID })
}

// sendForFlow sends a message and returns the id that the gateway gave the request.
func (r *running) sendForFlow(t *testing.T, path, body string) string {
	t.Helper()
	response, err := http.DefaultClient.Do(r.request(t, r.Addresses.Token, http.MethodPost, path, body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	if id := response.Header.Get("Apigw-Requestid"); response.StatusCode == http.StatusAccepted && id != "" {
		return id
	}
	t.Fatalf("%d %s", response.StatusCode, answer)
	return ""
}
