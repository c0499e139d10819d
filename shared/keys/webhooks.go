package keys

import "github.com/haatline/haatline/shared/model"

// LogPrefixes returns the prefixes of the webhook log's keys: entries with their chunks, and sources. A function that
// appends to the log needs no other item.
func LogPrefixes() []string {
	return []string{webhookEvent.Parts[0] + "#", webhookSource.Parts[0] + "#"}
}

// WebhookConfigPrefixes returns the prefixes of the keys of the configurations of webhooks. The function that Meta
// posts to reads no other item: an index tells it which there are.
func WebhookConfigPrefixes() []string { return []string{webhookConfig.Parts[0] + "#"} }

// PaymentConfigPrefixes returns the prefixes of the keys of payment configurations, with those of the tenants that have
// them. The function that payment gateways post to reads no other item.
func PaymentConfigPrefixes() []string { return []string{paymentConfig.Parts[0] + "#"} }

// WebhookEvent returns the key of an entry of the log.
func WebhookEvent(id model.EventID) Key { return ByPK(webhookEvent.with(string(id))) }

// WebhookChunk returns the key of one raw piece of a logged value that does not fit into an item. The number has fixed
// width.
func WebhookChunk(id model.EventID, number model.Name) Key {
	return ByPK(webhookChunk.with(string(id), string(number)))
}

// WebhookSource returns the key of the sweep position of one kind of an account's entries.
func WebhookSource(waba model.WABAID, kind model.Name) Key {
	return ByPK(webhookSource.with(string(waba), string(kind)))
}

// WebhookSourceIDs returns the ids in a source's key.
func WebhookSourceIDs(pk string) (waba model.WABAID, kind string, ok bool) {
	ids, ok := webhookSource.ids(pk)
	if !ok {
		return "", "", false
	}
	return model.WABAID(ids[0]), ids[1], true
}

// WebhookConfig returns the key of the configuration of an account's webhooks.
func WebhookConfig(waba model.WABAID) Key { return ByPK(webhookConfig.with(string(waba))) }

// WebhookEventType returns the partition of one kind of a WABA's entries in gsi_webhook_event.
func WebhookEventType(waba model.WABAID, kind string) string { return string(waba) + "#" + kind }

// WebhookSources is the partition of gsi_webhook_event that lists all sources.
const WebhookSources = "SOURCES"

// AttentionAside returns the partition of gsi_webhook_attention with the set-aside entries of one consumer.
func AttentionAside(consumer string) string { return "aside#" + consumer }

// AttentionStuck returns the partition of gsi_webhook_attention with the sources of one consumer in which entries wait.
func AttentionStuck(consumer string) string { return "stuck#" + consumer }

// AttentionFailed returns the partition of gsi_webhook_attention with an account's parked entries, including those that
// were processed in part.
func AttentionFailed(waba model.WABAID) string { return "failed#" + string(waba) }

// AttentionArrivals returns the partition of gsi_webhook_attention with the texts and the emails of a tenant that have
// come to nothing, by their outcome.
func AttentionArrivals(tenant model.TenantID, outcome string) string {
	return "arrivals#" + string(tenant) + "#" + outcome
}
