//go:build unix

package cloud

import (
	"os"
	"syscall"
)

// lock lasts as long as this process, however it ends.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
