//go:build !linux || !(amd64 || arm64)

package engine

import (
	"errors"
	"os/exec"
)

// startWithoutSync starts no process: only Linux can keep another program from waiting for the disk.
func startWithoutSync(*exec.Cmd, chan<- error) error { return errors.ErrUnsupported }
