package cloud

import (
	"fmt"
	"math/rand/v2"
	"runtime"
)

// privateHost returns the address on which the engine listens. On Linux it is a random loopback address, so that a web
// page that tries the ports of 127.0.0.1 cannot bypass the guard. Other systems only have 127.0.0.1, with a free port.
func privateHost() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}
