package engine

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel end the engine when this process dies, however it dies.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
