package pgtest

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel end the server when this process dies, however it dies.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
