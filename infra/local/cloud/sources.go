package cloud

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lookEvery is how often the sources are checked. A change is built after two checks with the same result, because
// editors and version control write many files one after another.
const lookEvery = 250 * time.Millisecond

// stamp identifies a version of a file.
type stamp struct {
	written time.Time
	size    int64
}

// sources returns the files that functions are built from, with their stamps: everything except tests in the folders of
// the functions and their packages.
func (c Config) sources() map[string]stamp {
	found := map[string]stamp{}
	note := func(path string, entry fs.DirEntry) {
		if info, err := entry.Info(); err == nil { // otherwise it was deleted meanwhile
			found[path] = stamp{info.ModTime(), info.Size()}
		}
	}
	for _, folder := range []string{c.FunctionsDir, "shared"} {
		_ = filepath.WalkDir(filepath.Join(c.Root, folder), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil: // it was deleted meanwhile, or the folder does not exist
				return nil
			case entry.IsDir():
				if name := entry.Name(); name == "testdata" || strings.HasPrefix(name, ".") {
					return filepath.SkipDir
				}
			case !notBuilt(entry.Name()):
				note(path, entry)
			}
			return nil
		})
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if info, err := os.Stat(filepath.Join(c.Root, name)); err == nil {
			note(name, fs.FileInfoToDirEntry(info))
		}
	}
	return found
}

// notBuilt reports whether a file is a test or an editor's temporary file.
func notBuilt(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "~") || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "#")
}

// followSources calls changed after each change of the sources since they were built, until ctx ends. If they change
// again, the context of the call before ends, and the next call waits until it has returned.
func (c Config) followSources(ctx context.Context, built map[string]stamp, changed func(ctx context.Context)) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	last, end := built, func() {}
	defer func() { end() }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := c.sources()
		settled := maps.Equal(now, last)
		last = now
		if settled && !maps.Equal(now, built) {
			built = now
			end()
			end = begin(ctx, changed)
		}
	}
}

// begin starts work, and returns what ends it and waits for it.
func begin(ctx context.Context, work func(ctx context.Context)) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}
