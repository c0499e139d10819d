package operations

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
)

// Limited returns an API whose operations answer a caller who calls too often with 429, and name the limit in their
// headers. A limit that cannot be checked refuses nobody, and the zero Limit is none.
func Limited(api huma.API, limiter *ratelimit.Limiter, limit ratelimit.Limit, logger *slog.Logger) huma.API {
	if limit.Kind == "" {
		return api
	}
	return LimitedBy(api, limiter, func(huma.Context) ratelimit.Limit { return limit }, logger)
}

// LimitedBy is Limited with a limit that depends on the request.
func LimitedBy(api huma.API, limiter *ratelimit.Limiter, of func(huma.Context) ratelimit.Limit,
	logger *slog.Logger) huma.API {
	group := huma.NewGroup(api)
	group.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		limit := of(ctx)
		caller, err := model.Parse[model.Name](httpapi.CallerOf(ctx.Context()).Subject)
		if err != nil || limit.Kind == "" {
			next(ctx)
			return
		}
		d, err := limiter.Take(ctx.Context(), limit, caller)
		if err != nil {
			logger.WarnContext(ctx.Context(), "rate limit not checked", "error", err)
			next(ctx)
			return
		}
		wait := strconv.Itoa(max(1, int(d.ResetsAt.Sub(limiter.Now())/time.Second)))
		ctx.SetHeader("RateLimit-Limit", strconv.FormatInt(d.Limit, 10))
		ctx.SetHeader("RateLimit-Remaining", strconv.FormatInt(d.Remaining, 10))
		ctx.SetHeader("RateLimit-Reset", wait)
		if !d.Allowed {
			ctx.SetHeader("Retry-After", wait)
			_ = huma.WriteErr(api, ctx, http.StatusTooManyRequests,
				"Too many calls. Try again when Retry-After says so.")
			return
		}
		next(ctx)
	})
	return group
}
