//go:build !linux

package pgtest

import "os/exec"

// dieWithParent does nothing where the kernel offers nothing of the kind: the server outlives a test that is killed.
func dieWithParent(*exec.Cmd) {}
