package flows

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The names of the processes that are no functions.
const (
	Engine = "the local engine"
	Cloud  = "the local cloud and the clients"
)

const tick = 10 * time.Millisecond // of the kernel's clock for CPU time

// process is a process of a local cloud.
type process struct {
	name string // of a function
	cpu  time.Duration
}

// processes returns this process and its children by process id. It reads /proc, so it works on Linux alone.
func processes() map[int]process {
	found := map[int]process{}
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after) // from the third field of the file on
		parent, _ := strconv.Atoi(fields[1])
		if id != os.Getpid() && parent != os.Getpid() {
			continue
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		p := process{cpu: time.Duration(user+system) * tick}
		program, _ := os.Readlink(filepath.Join("/proc", entry.Name(), "exe"))
		switch {
		case id == os.Getpid():
			p.name = Cloud
		case strings.HasPrefix(filepath.Base(program), "dynoxide"):
			p.name = Engine
		default:
			p.name = filepath.Base(filepath.Dir(program))
		}
		found[id] = p
	}
	return found
}

// memory returns what the processes take of the machine's memory, in bytes by their names.
func memory() map[string]int64 {
	taken := map[string]int64{}
	for id, p := range processes() {
		rollup, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "smaps_rollup"))
		_, share, _ := strings.Cut(string(rollup), "\nPss:")
		if fields := strings.Fields(share); len(fields) > 0 {
			kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
			taken[p.name] += kilobytes << 10
		}
	}
	return taken
}
