package cloud

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/lambda"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/eventually"
)

// workshop is a test module with one function, which a cloud runs and a test edits.
type workshop struct {
	t     *testing.T
	root  string
	cloud *Cloud
	logs  *lockedLog
}

type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// answering returns a program that answers with a text.
func answering(text string) string {
	return "package main\n\nimport (\n\t\"context\"\n\n\t\"github.com/aws/aws-lambda-go/lambda\"\n)\n\n" +
		"func main() {\n\tlambda.Start(func(context.Context) (string, error) { return \"" + text + "\", nil })\n}\n"
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	project, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{t: t, root: t.TempDir(), logs: &lockedLog{}}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(project, name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(name, string(content))
	}
	w.write("functions/worker/main.go", answering("first"))
	if err := os.MkdirAll(filepath.Join(w.root, "infra"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(project, "infra", "node_modules"),
		filepath.Join(w.root, "infra", "node_modules")); err != nil {
		t.Fatal(err)
	}
	config := testConfig(t, t.TempDir())
	config.Root, config.FunctionsDir, config.Reload, config.Logs = w.root, "functions", true, w.logs
	config.Functions = []topology.Function{{Name: "worker", MemoryMB: 128, Timeout: 10 * time.Second}}
	w.cloud = startCloud(t, config)
	return w
}

func (w *workshop) write(path, text string) {
	w.t.Helper()
	path = filepath.Join(w.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// until waits until a condition holds.
func (w *workshop) until(what string, so func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(eventually.Limit); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("never: %s\n%s", what, w.logs.String())
		}
	}
}

func (w *workshop) answers() string {
	w.t.Helper()
	answer, err := w.cloud.Invoke(w.t.Context(), "worker", []byte(`{}`))
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(answer)
}

func (w *workshop) logged(text string) func() bool {
	return func() bool { return strings.Contains(w.logs.String(), text) }
}

func TestAFunctionRunsAnewWhenItsSourcesChange(t *testing.T) {
	w := newWorkshop(t)
	if got := w.answers(); got != `"first"` {
		t.Fatal(got)
	}
	w.write("functions/worker/main.go", answering("second"))
	w.until("the second answers", func() bool { return w.answers() == `"second"` })
	w.until("it is said", w.logged("reloaded function=worker"))

	// If a program does not build, or ends while it starts, the previous one keeps running.
	w.write("functions/worker/main.go", strings.Replace(answering("third"), "lambda.Start", "lambda.Strat", 1))
	w.until("the compiler's message", w.logged("undefined: lambda.Strat"))
	if got := w.answers(); got != `"second"` {
		t.Errorf("what does not build answers %s", got)
	}
	w.write("functions/worker/main.go",
		strings.Replace(answering("fourth"), "func main() {", "func main() {\n\tpanic(\"no setting\")", 1))
	w.until("the panic", w.logged("the function does not start: what ran before runs on"))
	if got := w.answers(); got != `"second"` {
		t.Errorf("what does not start answers %s", got)
	}
	w.write("functions/worker/main.go", answering("fifth"))
	w.until("the fifth answers", func() bool { return w.answers() == `"fifth"` })
}

// Changing a test or an editor's temporary file restarts no function.
func TestOnlyWhatIsBuiltIsWatched(t *testing.T) {
	w := newWorkshop(t)
	before := w.cloud.config.sources()
	for _, path := range []string{
		"functions/worker/main_test.go", "functions/worker/testdata/x.json", "functions/worker/.main.go.swp",
		"functions/worker/main.go~", "functions/worker/#main.go#", "infra/x.go", "README.md",
	} {
		w.write(path, "x")
	}
	if len(w.cloud.config.sources()) != len(before) {
		t.Errorf("%v", w.cloud.config.sources())
	}
	w.write("shared/texts/page.html", "x")
	if len(w.cloud.config.sources()) != len(before)+1 {
		t.Error("a file that is embedded is not watched")
	}
}

// A developer who has changed a program most likely tries next what ran last.
func TestWhatWasUsedLastIsRebuiltFirst(t *testing.T) {
	c := &Cloud{pools: map[string]*lambda.Pool{}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		c.config.Functions = append(c.config.Functions, topology.Function{Name: name})
		c.pools[name] = lambda.NewPool(lambda.Function{Name: name, Bootstrap: "/nowhere"}, func(string) {})
	}
	for _, name := range []string{"d", "b", "e"} { // the use counts, not what comes of it
		if _, err := c.pools[name].Invoke(t.Context(), nil); err == nil {
			t.Fatal("a program that is not there ran")
		}
	}
	var got []string
	for _, group := range c.byUse() {
		names := ""
		for _, function := range group {
			names += function.Name
		}
		got = append(got, names)
	}
	if want := []string{"eb", "d", "ac"}; !slices.Equal(got, want) {
		t.Errorf("rebuilt in the order %v, not %v", got, want)
	}
}

func TestANewChangeEndsTheBuildOfTheOneBefore(t *testing.T) {
	root := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	config := Config{Root: root, FunctionsDir: "functions"}
	built := config.sources()
	write("the second") // while the first is built
	begun, ended := make(chan bool), make(chan bool)
	ctx, cancel := context.WithCancel(t.Context())
	followed := make(chan bool)
	go func() {
		defer close(followed)
		config.followSources(ctx, built, func(ctx context.Context) {
			begun <- true
			<-ctx.Done()
			ended <- true
		})
	}()
	<-begun
	write("the third one")
	<-ended
	<-begun
	cancel()
	<-ended
	<-followed
}
