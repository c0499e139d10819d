package settings

import (
	"errors"
	"fmt"
	"regexp"
)

// Domain is the domain of the deployment's own under which the API and the webhook are reached. The zero value says
// none: the API has the address that AWS gives it.
type Domain struct {
	Name string // api.acme.example
	// Certificate is the ARN of the domain's certificate: of the deployment's region, or of us-east-1 if there is a web
	// ACL, because CloudFront takes certificates from there only.
	Certificate string
	// WebACL is the ARN of a web ACL of WAF for CloudFront; "" for none.
	WebACL string
}

var (
	hostForm        = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)
	certificateForm = regexp.MustCompile(`^arn:aws[a-z-]*:acm:([a-z0-9-]+):[0-9]{12}:certificate/[0-9a-f-]{36}$`)
	webACLForm      = regexp.MustCompile(
		`^arn:aws[a-z-]*:wafv2:us-east-1:[0-9]{12}:global/webacl/[A-Za-z0-9_-]{1,128}/[0-9a-f-]{36}$`)
)

// forCloudFront is the region whose certificates and web ACLs CloudFront takes.
const forCloudFront = "us-east-1"

// parseDomain parses the context values apiDomain, apiCertificate and webAcl.
func parseDomain(text func(name string) string) (Domain, error) {
	d := Domain{Name: text("apiDomain"), Certificate: text("apiCertificate"), WebACL: text("webAcl")}
	if d == (Domain{}) {
		return d, nil
	}
	if len(d.Name) > 253 || !hostForm.MatchString(d.Name) {
		return Domain{}, fmt.Errorf("apiDomain: %q is no domain such as api.acme.example, in small letters", d.Name)
	}
	certificate := certificateForm.FindStringSubmatch(d.Certificate)
	if certificate == nil {
		return Domain{}, fmt.Errorf("apiCertificate: %q is not the ARN of a certificate for %s in ACM", d.Certificate,
			d.Name)
	}
	if d.WebACL == "" {
		return d, nil
	}
	if !webACLForm.MatchString(d.WebACL) {
		return Domain{}, fmt.Errorf("webAcl: %q is not the ARN of a web ACL for CloudFront: its scope is global, and "+
			"its region %s", d.WebACL, forCloudFront)
	}
	if certificate[1] != forCloudFront {
		return Domain{}, errors.New("apiCertificate: with a web ACL the certificate has to be in " + forCloudFront +
			", because CloudFront takes it from there")
	}
	return d, nil
}
