package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/registry"
)

func TestTheListsFollowTheRegistry(t *testing.T) {
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lists {
		want, err := l.write(registry.Names())
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, l.path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s does not follow from the registry; run make lists:\n%s", l.path, diff)
		}
	}
}
