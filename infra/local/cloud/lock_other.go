//go:build !unix

package cloud

import "os"

// lock does nothing here; the engine's port is the only guard.
func lock(*os.File) error { return nil }
