package awsclient

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Templates lists and changes the templates of the accounts of numbers at AWS. AWS's id of a number leads to AWS's id
// of its account.

// account returns AWS's id of the account of a number. It is remembered for as long as the process lives: a number
// stays in its account.
func (n *Numbers) account(ctx context.Context, id string) (string, error) {
	n.mu.Lock()
	held := n.accounts[id]
	n.mu.Unlock()
	if held != "" {
		return held, nil
	}
	account, err := n.client.Account(ctx, id)
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.accounts[id] = account
	return account, nil
}

// Templates lists a page of the templates of a number's account.
func (n *Numbers) Templates(ctx context.Context, id, after string) (whatsapp.TemplatePage, error) {
	account, err := n.account(ctx, id)
	if err != nil {
		return whatsapp.TemplatePage{}, err
	}
	return n.client.Templates(ctx, account, after)
}

// TemplateLibrary lists a page of the templates of Meta's library.
func (n *Numbers) TemplateLibrary(ctx context.Context, id string, of whatsapp.LibrarySearch, after string) (
	whatsapp.LibraryPage, error) {
	account, err := n.account(ctx, id)
	if err != nil {
		return whatsapp.LibraryPage{}, err
	}
	return n.client.TemplateLibrary(ctx, account, of, after)
}

// FindTemplate looks for a template of a number's account.
func (n *Numbers) FindTemplate(ctx context.Context, id, name, language string) (whatsapp.ListedTemplate, bool, error) {
	account, err := n.account(ctx, id)
	if err != nil {
		return whatsapp.ListedTemplate{}, false, err
	}
	return n.client.FindTemplate(ctx, account, name, language)
}

// CreateTemplate has Meta review a new template.
func (n *Numbers) CreateTemplate(ctx context.Context, id string, of whatsapp.TemplateDraft) (whatsapp.ListedTemplate,
	error) {
	account, err := n.account(ctx, id)
	if err != nil {
		return whatsapp.ListedTemplate{}, err
	}
	return n.client.CreateTemplate(ctx, account, of)
}

// EditTemplate has Meta review other components of a template.
func (n *Numbers) EditTemplate(ctx context.Context, id, template string, of whatsapp.TemplateDraft) error {
	account, err := n.account(ctx, id)
	if err != nil {
		return err
	}
	return n.client.EditTemplate(ctx, account, template, of)
}

// DeleteTemplate deletes a template in one language.
func (n *Numbers) DeleteTemplate(ctx context.Context, id, name, template string) error {
	account, err := n.account(ctx, id)
	if err != nil {
		return err
	}
	return n.client.DeleteTemplate(ctx, account, name, template)
}

// UploadSample hands a sample of a template to Meta by AWS, which reads it in the bucket.
func (f *Files) UploadSample(ctx context.Context, id, phone string, of whatsapp.Sample) (handle string, err error) {
	account, err := f.account(ctx, id)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(of.Body)
	key := media.Incoming + "aws/" + phone + "/" + hex.EncodeToString(sum[:])
	if err := f.Bucket.Put(ctx, objects.Object{
		Key: key, ContentType: of.ContentType, Body: bytes.NewReader(of.Body), Size: int64(len(of.Body)), SHA256: sum,
	}); err != nil {
		return "", fmt.Errorf("store a sample for AWS: %w", err)
	}
	return f.client.Sample(ctx, account, f.Bucket.Name(), key)
}
