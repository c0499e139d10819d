package templates

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// keyAtAWS returns the key of the item of a template that is at AWS. It reports false if a part of it cannot be part of
// a key.
func keyAtAWS(t model.Template) (keys.Key, bool) {
	account, err := model.Parse[model.Name](t.AWSAccountID)
	name, err2 := model.Parse[model.Name](t.TemplateName)
	language, err3 := model.Parse[model.Name](t.Language)
	if errors.Join(err, err2, err3) != nil {
		return keys.Key{}, false
	}
	return keys.TemplateEUM(account, name, language), true
}

// atAWS returns the write by which the item of a template that is at AWS follows the template, for the transaction
// that changes that. The condition is that it does not follow a later change of the template: a number's account may
// have been corrected, and then the item follows the template of the right one.
func atAWS(t model.Template) ([]dynamo.Write, error) {
	key, ok := keyAtAWS(t)
	if !ok {
		return nil, nil
	}
	item, err := dynamo.Marshal(model.TemplateAtAWS{
		PK: key.Partition, ItemType: model.ItemTemplateEUM, WABAID: t.AWSAccountID, TemplateName: t.TemplateName,
		MetaTemplateID: t.TemplateID, TemplateStatus: t.Status, TemplateCategory: t.Category,
		TemplateLanguage: t.Language, QualityScore: t.QualityScore, Components: t.Components, CachedAt: t.CachedAt,
		SyncedAt: t.CachedAt, WABAMetaID: t.WABAMetaID, Version: t.Version + 1})
	return []dynamo.Write{dynamo.Put{
		Table: tables.Messages, Item: item,
		If:     "attribute_not_exists(pk) OR metaWabaId <> :waba OR #version <= :version",
		Values: dynamo.Item{":version": dynamo.N(t.Version + 1), ":waba": dynamo.S(t.WABAMetaID)}}}, err
}

// AtAWS returns what AWS has of a template; the zero value if its account is not at AWS.
func (s *Cache) AtAWS(ctx context.Context, t model.Template) (has model.TemplateAtAWS, err error) {
	key, ok := keyAtAWS(t)
	if t.AWSAccountID == "" || !ok {
		return has, nil
	}
	err = s.DB.Get(ctx, tables.Messages, key, &has)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return has, err
}
