package export

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
)

// The kinds of lines of communities.
const (
	communitySettingsLine = "communitySettings"
	communityLine         = "community"
)

// exportCommunity exports the settings of each tenant's communities, and the communities. What people write there is
// theirs: the export of a person holds it. A deployment without communities has nothing to export.
func exportCommunity(ctx context.Context, e *exporter, tenants []string) error {
	for _, tenant := range tenants {
		of := url.Values{"tenantId": {tenant}}
		var settings json.RawMessage
		err := e.get(ctx, "/v1/community-settings", of, &settings)
		if errors.Is(err, errGone) {
			continue // this tenant, or the whole deployment, has no communities
		}
		if err != nil {
			return cannot("read the settings of the communities of "+tenant, err)
		}
		if err := e.write(communitySettingsLine, settings); err != nil {
			return err
		}
		err = e.pages(ctx, "/v1/community-settings/communities", of, func(rows []json.RawMessage) error {
			return e.all(communityLine, rows)
		})
		if err != nil {
			return cannot("list the communities of "+tenant, err)
		}
	}
	return nil
}
