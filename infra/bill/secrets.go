package bill

import "github.com/haatline/haatline/infra/topology"

// secretsOf returns how many secrets a function reads for messages. One that signs calls of companies' servers reads
// the keys of the API only for those calls.
func secretsOf(f topology.Function) int {
	if f.Opens && len(f.Routes) == 0 {
		return len(f.Secrets) - 1
	}
	return len(f.Secrets)
}
