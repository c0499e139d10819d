package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// Limiter says how long somebody has to wait until they may call an operation of a class. 0 is now.
type Limiter interface {
	Take(ctx context.Context, who model.Name, class string) (wait time.Duration, err error)
}

// Classes of operations that are limited by themselves, so that a program that reads too much keeps nobody from work.
const (
	classReads   = "tenant_reads"
	classChanges = "tenant_changes"
)

// Limited returns a handler that answers 429 to a tenant that calls too often, before anything is read or done. A
// caller of several tenants is counted for the first, and one of none by themselves. A limit that cannot be checked
// refuses nobody.
func Limited(next http.Handler, limiter Limiter, logger *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		class := classChanges
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			class = classReads
		}
		who := CallerOf(r.Context()).counted()
		if who == "" { // refused for another reason
			next.ServeHTTP(w, r)
			return
		}
		wait, err := limiter.Take(r.Context(), who, class)
		if err != nil {
			logger.WarnContext(r.Context(), "rate limit not checked", "error", err)
		}
		if wait <= 0 {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		serveProblem(w,
			newProblem(http.StatusTooManyRequests, "Your tenant calls too often. Retry-After says when to try again."))
	})
}

// counted returns as whom a caller's calls are counted; "" for nobody.
func (c Caller) counted() model.Name {
	name := c.Subject
	if len(c.Tenants) > 0 {
		name = string(c.Tenants[0])
	}
	who, err := model.Parse[model.Name](name)
	if c.Subject == "" || err != nil {
		return ""
	}
	return who
}
