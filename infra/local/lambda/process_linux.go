package lambda

import (
	"os/exec"
	"syscall"
)

// tie keeps a terminal's Ctrl-C from the instance, which is stopped in order, and has the kernel end it when this
// process dies, however it dies.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
