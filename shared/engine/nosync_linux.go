//go:build amd64 || arm64

package engine

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// startWithoutSync starts a process for which fsync and fdatasync do nothing and succeed, and says by ended how it has
// ended. The engine has no setting for that: SQLite waits for the disk at every commit. A filter of system calls is a
// thread's own, and its children inherit it. So the process is started from a thread of its own.
//
// That thread never ends. The kernel ends with a thread the processes that were started from it and that are to die
// with their parent. Before it was locked, the thread may have started others: functions, or engines of other tests.
func startWithoutSync(cmd *exec.Cmd, ended chan<- error) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked, because of the filter
		err := filterSync()
		if err == nil {
			err = cmd.Start()
		}
		started <- err
		if err == nil {
			ended <- cmd.Wait()
			close(ended)
		}
		select {}
	}()
	return <-started
}

// The fields of the kernel's seccomp_data.
const (
	callNumber   = 0
	architecture = 4
)

// filterSync has fsync and fdatasync of this thread, and of the processes that it starts, do nothing and succeed.
func filterSync() error {
	native := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	load := func(field uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: field}
	}
	skipUnless := func(value uint32, equal, other uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: equal, Jf: other, K: value}
	}
	answer := func(what uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
	}
	program := []unix.SockFilter{
		load(architecture),
		skipUnless(native, 0, 3), // calls of another architecture have other numbers
		load(callNumber),
		skipUnless(unix.SYS_FSYNC, 2, 0),
		skipUnless(unix.SYS_FDATASYNC, 1, 0),
		answer(unix.SECCOMP_RET_ALLOW),
		answer(unix.SECCOMP_RET_ERRNO), // with the error 0
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forgo new privileges: %w", err)
	}
	// A pointer stands in the call of a system call itself: elsewhere the memory behind a uintptr may move.
	if _, _, number := syscall.Syscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER,
		uintptr(unsafe.Pointer(&filter))); number != 0 {
		return fmt.Errorf("filter system calls: %w", number)
	}
	return nil
}
