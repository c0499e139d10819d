//go:build unix && !linux

package lambda

import (
	"os/exec"
	"syscall"
)

// tie keeps a terminal's Ctrl-C from the instance, which is stopped in order. When this process is killed the instance
// ends by itself: its next call to the Runtime API finds nobody.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
