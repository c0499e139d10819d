// Command bench measures what the hot functions cost compared with a minimal function: start-up time, CPU per webhook
// body, size, and the time to read a customer's message. It runs flows on a local cloud, and compares the CPU time of
// their functions with that of a bare handler. It also measures how much the local engine slows down with use.
// Measurements are interleaved and the fastest count, so that other work on the machine matters little. It exits with 1
// if a measurement misses its target.
package main

import (
	"archive/zip"
	"compress/flate"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/building"
)

const (
	rounds      = 5 // of the measure of CPU; the fastest counts
	startRounds = 200
	bodies      = 2000 // per round of the CPU measure

	maxZip      = 5.0  // MB
	maxStart    = 1.15 // times the reference
	maxBodyCost = 2.0  // times the reference
	maxReading  = 1.0  // ms
	maxSlowing  = 1.4  // times the first rate of the local engine over the last: it keeps 0.7 of it
)

// hot lists the functions that every message passes through.
var hot = []string{"webhook", "inbound", "status", "outbox"}

const reference = "reference"

func main() {
	writes := flag.Int("writes", 100_000,
		"how many writes the local engine takes, at about 700 a second; 0 leaves it out")
	var o sustained
	flag.IntVar(&o.units, "units", 500, "how many units of each flow run on a local cloud; 0 leaves the flows out")
	flag.StringVar(&o.only, "only", "", "measures nothing but the flows whose names hold this text")
	flag.StringVar(&o.against, "against", "", "another checkout, whose functions run the flows too")
	flag.StringVar(&o.profiles, "profiles", "", "a folder for profiles of the functions in the flows")
	flag.Parse()
	dir, err := os.MkdirTemp("", "haatline-bench")
	if err == nil {
		defer os.RemoveAll(dir)
		var missed int
		if missed, err = bench(dir, *writes, o); err == nil && missed > 0 {
			err = fmt.Errorf("%d targets missed", missed)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(dir string, writes int, o sustained) (missed int, err error) {
	judge := func(what string, value, limit float64, unit string) {
		verdict := "ok"
		if value > limit {
			verdict, missed = "MISSED", missed+1
		}
		fmt.Printf("  %-44s %7.2f %-4s at most %.2f  %s\n", what, value, unit, limit, verdict)
	}
	if o.only != "" {
		err = measureFlows(dir, o, judge)
		return missed, err
	}
	if err := measureHot(dir, judge); err != nil {
		return 0, err
	}
	if o.units > 0 {
		if err := measureFlows(dir, o, judge); err != nil {
			return 0, fmt.Errorf("measure flows: %w", err)
		}
	}
	if writes == 0 {
		return missed, nil
	}
	first, last, err := measureEngine(dir, writes)
	if err != nil {
		return 0, fmt.Errorf("measure the local engine: %w", err)
	}
	fmt.Printf("local engine, writes a second at first and after %d, one after the other\n", writes)
	judge(fmt.Sprintf("slowing down (%.0f, then %.0f)", first, last), first/last, maxSlowing, "x")
	return missed, nil
}

// measureHot prints how large the hot functions are, how long they take to start, and what they do with a body.
func measureHot(dir string, judge func(what string, value, limit float64, unit string)) error {
	if err := build(dir); err != nil {
		return err
	}
	fmt.Println("size, arm64 zip")
	for _, name := range hot {
		size, err := zipped(filepath.Join(dir, "arm64", name))
		if err != nil {
			return err
		}
		judge(name, float64(size)/1e6, maxZip, "MB")
	}
	starts, err := measureStarts(dir)
	if err != nil {
		return err
	}
	fmt.Printf("process start to first request for work, reference %.2f ms\n", ms(starts[reference]))
	for _, name := range hot {
		judge(fmt.Sprintf("%s (%.2f ms)", name, ms(starts[name])), float64(starts[name])/float64(starts[reference]),
			maxStart, "x")
	}
	cpu, err := measureCPU(dir)
	if err != nil {
		return err
	}
	fmt.Printf("CPU per webhook body, reference %.1f us: verify, decode, one bare PutItem\n", us(cpu[reference]))
	judge(fmt.Sprintf("webhook (%.1f us)", us(cpu["webhook"])), float64(cpu["webhook"])/float64(cpu[reference]),
		maxBodyCost, "x")
	reading, err := measureReading()
	if err != nil {
		return fmt.Errorf("measure reading: %w", err)
	}
	fmt.Printf("a customer's message, with a catalogue of %d products\n", readProducts)
	judge("reading it", float64(reading.Microseconds())/1e3, maxReading, "ms")
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// build builds every measured program as it is deployed, for this machine and for arm64.
func build(dir string) error {
	for _, target := range []struct{ folder, goos, arch string }{
		{"host", runtime.GOOS, runtime.GOARCH}, {"arm64", "linux", "arm64"}} {
		for _, name := range append([]string{reference}, hot...) {
			source := "./functions/" + name
			if name == reference {
				source = "./infra/bench/reference"
			}
			binary := filepath.Join(dir, target.folder, name)
			if err := goBuild("", []string{"GOOS=" + target.goos, "GOARCH=" + target.arch},
				"-ldflags", "-s -w", "-o", binary, source); err != nil {
				return err
			}
			if err := rewrite(binary); err != nil {
				return err
			}
		}
	}
	return nil
}

// goBuild builds in a folder as functions are built, with variables beside the own ones. The last argument is what is
// built.
func goBuild(folder string, variables []string, arguments ...string) error {
	cmd := exec.Command("go", slices.Concat([]string{"build"}, building.Flags(), arguments)...)
	cmd.Dir, cmd.Env = folder, append(append(os.Environ(), "CGO_ENABLED=0"), variables...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %s", arguments[len(arguments)-1], strings.TrimSpace(string(said)))
	}
	return nil
}

// rewrite writes a file anew, in one write. The kernel caches a file of the linker's in small pieces, and a copy of it
// in large ones. A program starts 15 % faster from large ones. Go's build cache copies some binaries and links others,
// so all are written alike.
func rewrite(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o755)
}

// zipped returns the size in bytes of the binary in a zip file.
func zipped(path string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var size counter
	archive := zip.NewWriter(&size)
	archive.RegisterCompressor(zip.Deflate,
		func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	entry, err := archive.Create("bootstrap")
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(entry, file); err != nil {
		return 0, err
	}
	return int64(size), archive.Close()
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
