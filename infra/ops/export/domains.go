package export

import "context"

// domains lists what exports each domain, in order. Each has a file of its own.
var domains = []func(ctx context.Context, e *exporter, tenants []string) error{messaging, cards, commerce}
