package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A function that started with no address to send to would fail every message instead of its start.
func TestTheFunctionDoesNotStartWithoutAnAddressOfTheCloudAPI(t *testing.T) {
	if os.Getenv("RUN_MAIN") != "" {
		main()
		return // it went on
	}
	for name, address := range map[string]string{
		"none": "", "no host": "https:///v23.0", "no version": "https://graph.facebook.com",
		"no scheme":      "graph.facebook.com/v23.0",
		"another scheme": "ftp://graph.facebook.com/v23.0",
		"a secret in it": "https://graph.facebook.com/v23.0?access_token=hush",
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "RUN_MAIN=1", "AWS_REGION=ap-south-1", "WHATSAPP_GRAPH_URL="+address)
		text, err := cmd.CombinedOutput()
		said := string(text)
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != 1 || strings.Count(said, "\n") != 1 ||
			!strings.Contains(said, "a setting is wrong") || !strings.Contains(said, `"WHATSAPP_GRAPH_URL"`) ||
			strings.Contains(said, "hush") {
			t.Errorf("%s: %v: %s", name, err, said)
		}
	}
}
