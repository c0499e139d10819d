package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/names"
)

// addTokensKey adds the key that encrypts the access tokens of single numbers, and the secrets of companies' functions.
// The account's own policies say who may use it: the functions that send and call may decrypt. People who put tokens in
// may encrypt, and so may the function that stores those secrets. KMS renews it every year and keeps what it needs for
// what is older.
func (f *Functions) addTokensKey() {
	owner := allow([]*string{jsii.String("kms:*")}, []*string{jsii.String("*")})
	owner["Principal"] = map[string]any{"AWS": "arn:" + *f.Partition() + ":iam::" + *f.Account() + ":root"}
	f.tokensKey = awskms.NewCfnKey(f.Stack, jsii.String("TokensKey"), &awskms.CfnKeyProps{
		Description:       jsii.String("encrypts tokens of single numbers and secrets of companies' functions"),
		EnableKeyRotation: true, KeyPolicy: document(owner), PendingWindowInDays: jsii.Number(30),
	})
	identify(f.tokensKey, "TokensKey")
	f.tokensKey.ApplyRemovalPolicy(removalPolicy(f.options.Stage), nil)
	alias := awskms.NewCfnAlias(f.Stack, jsii.String("TokensKeyAlias"), &awskms.CfnAliasProps{
		AliasName: jsii.String(names.TokensKey(f.options.Stage)), TargetKeyId: f.tokensKey.AttrArn(),
	})
	identify(alias, "TokensKeyAlias")
}
