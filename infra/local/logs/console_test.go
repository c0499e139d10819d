package logs

import (
	"bytes"
	"log/slog"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 30, 15, 250e6, time.Local)
	stamp := at.Format(time.RFC3339Nano)
	for name, test := range map[string]struct{ line, want string }{
		"a JSON line": {
			`{"time":"` + stamp + `","level":"INFO","msg":"message stored","wamid":"wamid.A=","count":2}`,
			"09:30:15.250 inbound       INFO  message stored wamid=\"wamid.A=\" count=2\n"},
		"attributes in order": {
			`{"time":"` + stamp + `","level":"WARN","msg":"m","z":"1","a":"two words","n":null,"o":{"b": [1, 2]}}`,
			"09:30:15.250 inbound       WARN  m z=1 a=\"two words\" n=null o={\"b\":[1,2]}\n"},
		"nothing twice": {
			`{"time":"` + stamp + `","level":"INFO","msg":"m","function":"inbound","_aws":{"Timestamp":1},"Stored":1}`,
			"09:30:15.250 inbound       INFO  m Stored=1\n"},
		"of another function": {
			`{"time":"` + stamp + `","level":"INFO","msg":"m","function":"outbox"}`,
			"09:30:15.250 inbound       INFO  m function=outbox\n"},
		"another line": {"panic: boom", "10:00:00.000 inbound             panic: boom\n"},
		"JSON without message": {
			`{"errorMessage":"boom"}`, "10:00:00.000 inbound             {\"errorMessage\":\"boom\"}\n"},
		"JSON cut off": {`{"msg":"boom`, "10:00:00.000 inbound             {\"msg\":\"boom\n"},
	} {
		var out bytes.Buffer
		c := New(&out, false)
		c.now = func() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.Local) }
		c.Line("inbound", test.line)
		if out.String() != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, out.String(), test.want)
		}
	}
}

// Text from strangers must not move the cursor, reverse a line, or add a line.
func TestWhatATerminalWouldActOnIsSpeltOut(t *testing.T) {
	for line, want := range map[string]string{
		`{"level":"INFO","msg":"m","x":"a\u001b[2Jb"}`:                `m x="a\x1b[2Jb"`,
		`{"level":"INFO","msg":"m","x":"a\nb"}`:                       `m x="a\nb"`,
		`{"level":"INFO","msg":"m","x":"a\u202eb"}`:                   `m x="a\u202eb"`,
		`{"level":"INFO","msg":"m","x":"a\u2066b\u200f"}`:             `m x="a\u2066b\u200f"`,
		`{"level":"INFO","msg":"m","x":"a\u0000\u0007\r\u009bb"}`:     `m x="a\x00\a\r\u009bb"`,
		`{"level":"INFO","msg":"m","x":"a\u2028b"}`:                   `m x="a\u2028b"`,
		`{"level":"INFO","msg":"m\u001b[31m","x\u001b":1}`:            `m\x1b[31m x\x1b=1`,
		`{"level":"INFO\u001b[0m","msg":"m"}`:                         `INFO\x1b[0m m`,
		"{\"level\":\"INFO\",\"msg\":\"m\",\"o\":{\"a\":\"\u202e\"}}": `m o={"a":"\u202e"}`,
		"panic: \x1b]0;title\x07\u202eboom\xff":                       `panic: \x1b]0;title\a\u202eboom\xff`,
		"\tat main.go:7":                                              "\tat main.go:7",
		`{"level":"INFO","msg":"2 किलो","x":"₹20"}`:                   `2 किलो x=₹20`,
	} {
		var out bytes.Buffer
		New(&out, false).Line("inbound", line)
		if !bytes.HasSuffix(out.Bytes(), []byte(" "+want+"\n")) || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
			t.Errorf("%q: %q", line, out.String())
		}
	}
}

func TestAWriterTakesWhatSlogWrites(t *testing.T) {
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(New(&out, false).Writer("cloud"), nil)).Error("stream not read", "error", "x y")
	if !bytes.HasSuffix(out.Bytes(), []byte(" cloud         ERROR stream not read error=\"x y\"\n")) {
		t.Errorf("%q", out.String())
	}
}

func TestColourOnlyWhereItIsAskedFor(t *testing.T) {
	for _, colour := range []bool{false, true} {
		var out bytes.Buffer
		New(&out, colour).Line("inbound", `{"level":"ERROR","msg":"x","a":1}`)
		if bytes.Contains(out.Bytes(), []byte("\x1b[")) != colour {
			t.Errorf("colour %v: %q", colour, out.String())
		}
	}
}

func TestRunsWithoutWorkAreLeftOut(t *testing.T) {
	for line, shown := range map[string]bool{
		`{"level":"INFO","msg":"metrics","OutboxOldest":0,"ReadUnits":1.5,"requestId":"e214"}`:         false,
		`{"level":"INFO","msg":"metrics","OutboxOldest":61,"ReadUnits":1.5,"requestId":"e214"}`:        true,
		`{"level":"INFO","msg":"metrics","MessagesIn":1,"ReadUnits":2,"WriteUnits":9,"requestId":"e"}`: true,
		`{"level":"INFO","msg":"done","ReadUnits":1.5}`:                                                true,
		`metrics`: true,
	} {
		for _, quiet := range []bool{true, false} {
			var out bytes.Buffer
			c := New(&out, false)
			c.Quiet = quiet
			c.Line("outbox", line)
			if is := out.Len() > 0; is != (shown || !quiet) {
				t.Errorf("quiet %v: %s is shown: %v", quiet, line, is)
			}
		}
	}
}
