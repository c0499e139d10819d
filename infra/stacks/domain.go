package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
)

// addDomain gives the API a domain of the deployment's own, so that the callback URL at Meta and the address in clients
// outlive this API. It returns the API's address.
//
// An HTTP API takes no web ACL. If the deployment has one, a CloudFront distribution stands in front of the API and
// carries the domain. It keeps nothing, and passes on everything but the Host header, by which the API finds itself.
func (f *Functions) addDomain() *string {
	domain := f.options.Domain
	if domain.Name == "" {
		return f.api.AttrApiEndpoint()
	}
	target := f.addDistribution
	if domain.WebACL == "" {
		target = f.addRegionalDomain
	}
	awscdk.NewCfnOutput(f.Stack, jsii.String(names.DomainTarget), &awscdk.CfnOutputProps{Value: target()})
	return jsii.String("https://" + domain.Name)
}

// addRegionalDomain adds the domain to the API itself. It returns the name that the domain's DNS record points at.
func (f *Functions) addRegionalDomain() *string {
	domain := awsapigatewayv2.NewCfnDomainName(f.Stack, jsii.String("ApiDomain"),
		&awsapigatewayv2.CfnDomainNameProps{
			DomainName: &f.options.Domain.Name,
			DomainNameConfigurations: &[]any{&awsapigatewayv2.CfnDomainName_DomainNameConfigurationProperty{
				CertificateArn: &f.options.Domain.Certificate, EndpointType: jsii.String("REGIONAL"),
				SecurityPolicy: jsii.String("TLS_1_2"),
			}},
		})
	identify(domain, "ApiDomain")
	mapping := awsapigatewayv2.NewCfnApiMapping(f.Stack, jsii.String("ApiDomainMapping"),
		&awsapigatewayv2.CfnApiMappingProps{
			ApiId: f.api.Ref(), DomainName: domain.Ref(), Stage: f.apiStage.Ref(),
		})
	identify(mapping, "ApiDomainMapping")
	return domain.AttrRegionalDomainName()
}

// Policies that CloudFront keeps for everybody: nothing is cached, and all headers but Host go to the origin.
const (
	cachingDisabled  = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
	allButHostHeader = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
)

// addDistribution puts a distribution with the web ACL in front of the API. It returns the distribution's name.
func (f *Functions) addDistribution() *string {
	const origin = "api"
	distribution := awscloudfront.NewCfnDistribution(f.Stack, jsii.String("ApiDistribution"),
		&awscloudfront.CfnDistributionProps{
			DistributionConfig: &awscloudfront.CfnDistribution_DistributionConfigProperty{
				Comment: jsii.String("haatline-" + string(f.options.Stage) + ": the API behind a web ACL"),
				Enabled: jsii.Bool(true), HttpVersion: jsii.String("http2and3"),
				Aliases:  jsii.Strings(f.options.Domain.Name),
				WebAclId: &f.options.Domain.WebACL,
				ViewerCertificate: &awscloudfront.CfnDistribution_ViewerCertificateProperty{
					AcmCertificateArn: &f.options.Domain.Certificate, SslSupportMethod: jsii.String("sni-only"),
					MinimumProtocolVersion: jsii.String("TLSv1.2_2021"),
				},
				Origins: &[]any{&awscloudfront.CfnDistribution_OriginProperty{
					Id: jsii.String(origin), DomainName: f.apiHost(),
					CustomOriginConfig: &awscloudfront.CfnDistribution_CustomOriginConfigProperty{
						OriginProtocolPolicy: jsii.String("https-only"), OriginSslProtocols: jsii.Strings("TLSv1.2"),
					},
				}},
				DefaultCacheBehavior: &awscloudfront.CfnDistribution_DefaultCacheBehaviorProperty{
					TargetOriginId: jsii.String(origin), ViewerProtocolPolicy: jsii.String("https-only"),
					CachePolicyId: jsii.String(cachingDisabled), OriginRequestPolicyId: jsii.String(allButHostHeader),
					AllowedMethods: jsii.Strings("GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"),
					Compress:       jsii.Bool(true),
				},
			},
		})
	identify(distribution, "ApiDistribution")
	return distribution.AttrDomainName()
}
