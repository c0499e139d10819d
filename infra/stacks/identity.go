package stacks

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscognito"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/tables"
)

// Identity is the stack of the user pool whose tokens the API accepts. It is a stack of its own because it holds
// accounts, which outlive what they give access to.
//
// A token's scopes say what a person asks to do. Cognito adds custom scopes only to tokens from its sign-in pages
// (authorization code with PKCE) and never to tokens from InitiateAuth, so without a domain nobody can use the API. A
// token's groups say which of these scopes the API grants, and for which tenants. This stack makes the groups of the
// roles. For whom a person works, groups say (make operator), and items if Cognito asks the function pre-token. The
// pool names the function and does not refer to it: the functions' stack comes after this one.
type Identity struct {
	awscdk.Stack
	Pool   awscognito.CfnUserPool
	Client awscognito.CfnUserPoolClient
}

// NewIdentity makes the stack of the user pool.
func NewIdentity(scope constructs.Construct, options settings.Options) *Identity {
	i := &Identity{Stack: newStack(scope, names.Identity, "haatline: the people", options.Stage)}
	i.addPool(options)
	i.addClient(options)
	for _, role := range httpapi.Roles() {
		id := strings.ToUpper(role.Group[:1]) + role.Group[1:]
		group := awscognito.NewCfnUserPoolGroup(i.Stack, &id, &awscognito.CfnUserPoolGroupProps{
			UserPoolId: i.Pool.Ref(), GroupName: &role.Group, Description: &role.Description,
		})
		identify(group, id)
	}
	if options.DomainPrefix != "" {
		domain := awscognito.NewCfnUserPoolDomain(i.Stack, jsii.String("Domain"), &awscognito.CfnUserPoolDomainProps{
			UserPoolId: i.Pool.Ref(), Domain: &options.DomainPrefix,
			ManagedLoginVersion: jsii.Number(1), // the newer pages stay empty until they are styled
		})
		identify(domain, "Domain")
		awscdk.NewCfnOutput(i.Stack, jsii.String(names.SignInURL), &awscdk.CfnOutputProps{
			Value: jsii.String(i.signInURL(options)),
		})
	}
	for name, value := range map[string]*string{
		names.UserPoolID: i.Pool.Ref(), names.ClientID: i.Client.Ref(), "Issuer": i.Pool.AttrProviderUrl()} {
		awscdk.NewCfnOutput(i.Stack, jsii.String(name), &awscdk.CfnOutputProps{Value: value})
	}
	return i
}

// signInURL returns the address of the sign-in pages.
func (i *Identity) signInURL(options settings.Options) string {
	return "https://" + options.DomainPrefix + ".auth." + *i.Region() + ".amazoncognito.com"
}

func (i *Identity) addPool(options settings.Options) {
	// In stages with real data every sign-in needs a code of an authenticator app. It must be required: the pages never
	// offer an optional one.
	protection, mfa := "INACTIVE", "OFF"
	if options.Stage.Durable() {
		protection = "ACTIVE"
	}
	var apps *[]*string
	if options.Stage != tables.Dev {
		mfa, apps = "ON", jsii.Strings("SOFTWARE_TOKEN_MFA")
	}
	i.Pool = awscognito.NewCfnUserPool(i.Stack, jsii.String("UserPool"), &awscognito.CfnUserPoolProps{
		UserPoolName:           jsii.String("haatline-" + string(options.Stage)),
		DeletionProtection:     &protection,
		UsernameAttributes:     jsii.Strings("email"),
		AutoVerifiedAttributes: jsii.Strings("email"),
		UsernameConfiguration:  &awscognito.CfnUserPool_UsernameConfigurationProperty{CaseSensitive: false},
		AdminCreateUserConfig:  &awscognito.CfnUserPool_AdminCreateUserConfigProperty{AllowAdminCreateUserOnly: true},
		MfaConfiguration:       &mfa,
		EnabledMfas:            apps,
		Policies: &awscognito.CfnUserPool_PoliciesProperty{
			PasswordPolicy: &awscognito.CfnUserPool_PasswordPolicyProperty{
				MinimumLength: jsii.Number(12), RequireLowercase: true, RequireUppercase: true, RequireNumbers: true,
				RequireSymbols: true, TemporaryPasswordValidityDays: jsii.Number(3),
			},
		},
		AccountRecoverySetting: &awscognito.CfnUserPool_AccountRecoverySettingProperty{
			RecoveryMechanisms: []*awscognito.CfnUserPool_RecoveryOptionProperty{
				{Name: jsii.String("verified_email"), Priority: jsii.Number(1)}},
		},
	})
	if options.Memberships {
		i.Pool.SetLambdaConfig(&awscognito.CfnUserPool_LambdaConfigProperty{
			PreTokenGeneration: arn(i.Stack, "lambda",
				"function:"+starter(topology.ForTokens().Name, options.Stage))})
	}
	identify(i.Pool, "UserPool")
	i.Pool.ApplyRemovalPolicy(removalPolicy(options.Stage), nil)
}

// addClient adds the resource server and the client of command lines. The client is public: it has no secret and uses
// PKCE. The console has a client of its own, beside its distribution, whose address that client knows.
func (i *Identity) addClient(options settings.Options) {
	const server = "haatline"
	allowed := []string{"openid"}
	var served []*awscognito.CfnUserPoolResourceServer_ResourceServerScopeTypeProperty
	for _, scope := range httpapi.Scopes() {
		allowed = append(allowed, scope.Name)
		served = append(served, &awscognito.CfnUserPoolResourceServer_ResourceServerScopeTypeProperty{
			ScopeName: jsii.String(scope.Name[len(server)+1:]), ScopeDescription: jsii.String(scope.Description),
		})
	}
	resources := awscognito.NewCfnUserPoolResourceServer(i.Stack, jsii.String("ResourceServer"),
		&awscognito.CfnUserPoolResourceServerProps{
			UserPoolId: i.Pool.Ref(), Identifier: jsii.String(server), Name: jsii.String(server), Scopes: served,
		})
	identify(resources, "ResourceServer")
	i.Client = awscognito.NewCfnUserPoolClient(i.Stack, jsii.String("Client"), &awscognito.CfnUserPoolClientProps{
		UserPoolId:                      i.Pool.Ref(),
		ClientName:                      jsii.String("operators"),
		GenerateSecret:                  false,
		AllowedOAuthFlowsUserPoolClient: true,
		AllowedOAuthFlows:               jsii.Strings("code"),
		AllowedOAuthScopes:              jsii.Strings(allowed...),
		CallbackUrLs:                    jsii.Strings(options.CallbackURLs...),
		SupportedIdentityProviders:      jsii.Strings("COGNITO"),
		// explicit, because the default allows passwords, too
		ExplicitAuthFlows:          jsii.Strings("ALLOW_REFRESH_TOKEN_AUTH"),
		PreventUserExistenceErrors: jsii.String("ENABLED"),
		EnableTokenRevocation:      true,
		AccessTokenValidity:        jsii.Number(1),
		IdTokenValidity:            jsii.Number(1),
		RefreshTokenValidity:       jsii.Number(1),
		TokenValidityUnits: &awscognito.CfnUserPoolClient_TokenValidityUnitsProperty{
			AccessToken: jsii.String("hours"), IdToken: jsii.String("hours"), RefreshToken: jsii.String("days"),
		},
	})
	identify(i.Client, "Client")
	i.Client.AddResourceDependency(resources, jsii.String("its scopes have to exist"))
	i.Client.ApplyRemovalPolicy(removalPolicy(options.Stage), nil)
	resources.ApplyRemovalPolicy(removalPolicy(options.Stage), nil)
}
