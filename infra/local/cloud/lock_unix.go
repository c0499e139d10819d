//go:build unix

package cloud

import (
	"os"
	"syscall"
)

// lock locks the file until this process ends.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
