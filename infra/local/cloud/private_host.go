package cloud

import (
	"fmt"
	"math/rand/v2"
	"runtime"
)

// privateHost returns the address of this machine on which the engine listens. On Linux it is one of the sixteen million
// loopback addresses, so that a web page which tries the ports of 127.0.0.1 does not come past the guarded one. Elsewhere
// there is only 127.0.0.1, and a free port of it.
func privateHost() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}
