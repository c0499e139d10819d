package stacks_test

import (
	"testing"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
)

const (
	certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	webACL      = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/front/01234567-89ab-cdef-0123-456789abcdef"
)

// One deployment has the domain on the API itself, one a distribution in front of it. A deployment without a domain has
// neither.
func TestTheAPIHasADomainOfItsOwnIfItIsAskedFor(t *testing.T) {
	if plain := stage(t, tables.Prod)["functions"]; len(plain.of("AWS::ApiGatewayV2::DomainName"))+
		len(plain.of("AWS::CloudFront::Distribution")) > 0 || plain.Outputs[names.DomainTarget] != nil {
		t.Error("a domain that nobody asked for")
	}
	context := map[string]any{
		"stage": "prod", "defaultTenant": "", "apiDomain": "api.acme.example", "apiCertificate": certificate}
	own := deploy(t, context)["functions"]
	domain, mapping := own.Resources["ApiDomain"].Properties, own.Resources["ApiDomainMapping"].Properties
	configuration, _ := domain["DomainNameConfigurations"].([]any)
	if len(configuration) != 1 || domain["DomainName"] != "api.acme.example" ||
		at(configuration[0], "CertificateArn") != certificate || at(configuration[0], "SecurityPolicy") != "TLS_1_2" {
		t.Errorf("%v", domain)
	}
	if said(mapping["ApiId"]) != "${HttpApi}" || said(mapping["DomainName"]) != "${ApiDomain}" ||
		said(mapping["Stage"]) != "${HttpApiStage}" {
		t.Errorf("%v", mapping)
	}
	if at(own.Outputs[names.APIURL], "Value") != "https://api.acme.example" ||
		said(at(own.Outputs[names.DomainTarget], "Value")) != "${ApiDomain.RegionalDomainName}" {
		t.Errorf("%v", own.Outputs)
	}

	context["webAcl"] = webACL
	fronted := deploy(t, context)["functions"]
	front := at(fronted.Resources["ApiDistribution"].Properties, "DistributionConfig")
	origins, _ := at(front, "Origins").([]any)
	if len(fronted.of("AWS::ApiGatewayV2::DomainName")) > 0 || at(front, "WebACLId") != webACL || len(origins) != 1 ||
		said(at(origins[0], "DomainName")) != "${HttpApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}" ||
		at(origins[0], "CustomOriginConfig", "OriginProtocolPolicy") != "https-only" ||
		at(front, "DefaultCacheBehavior", "ViewerProtocolPolicy") != "https-only" ||
		at(front, "ViewerCertificate", "AcmCertificateArn") != certificate {
		t.Errorf("%v", front)
	}
	if said(at(fronted.Outputs[names.DomainTarget], "Value")) != "${ApiDistribution.DomainName}" {
		t.Errorf("%v", fronted.Outputs)
	}
}
