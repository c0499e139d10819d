package lambda

import (
	"os/exec"
	"syscall"
)

// tie protects the instance from a terminal's Ctrl-C, because it is stopped in order. The kernel ends it when this
// process dies for any reason.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
