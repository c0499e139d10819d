//go:build unix && !linux

package lambda

import (
	"os/exec"
	"syscall"
)

// tie protects the instance from a terminal's Ctrl-C, because it is stopped in order. When this process is killed, the
// instance ends by itself, because its next call to the Runtime API fails.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
