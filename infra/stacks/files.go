package stacks

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/messaging/media"
)

// filesBucketName returns the name of the bucket of files. It names the account and the region, because names of
// buckets are unique in all of AWS.
func (d *Data) filesBucketName() string {
	return "haatline-files-" + string(d.options.Stage) + "-" + *d.Account() + "-" + *d.Region()
}

// deletedDays is for how many days a file that was deleted or overwritten can be brought back. An erasure is complete
// when they are over, as in the tables' backups.
const deletedDays = 30

// addFiles adds the bucket of the files that customers send, and of those that are uploaded to be sent. It is kept as
// the tables are. A file stays until its message is erased; what is put under a link, and not kept, goes after a day,
// and an email as it came after a month.
func (d *Data) addFiles() {
	bucket := awss3.NewCfnBucket(d.Stack, jsii.String("Files"), &awss3.CfnBucketProps{
		BucketName:       jsii.String(d.filesBucketName()),
		BucketEncryption: encryptedByS3(),
		PublicAccessBlockConfiguration: &awss3.CfnBucket_PublicAccessBlockConfigurationProperty{
			BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true,
		},
		OwnershipControls:       ownedByTheBucket(),
		VersioningConfiguration: &awss3.CfnBucket_VersioningConfigurationProperty{Status: jsii.String("Enabled")},
		LifecycleConfiguration:  filesLifecycle(),
		CorsConfiguration:       d.filesCORS(),
	})
	identify(bucket, "Files")
	bucket.ApplyRemovalPolicy(removalPolicy(d.options.Stage), nil)
	statements := []any{denyPlainHTTP("s3:*", bucket.AttrArn(), jsii.String(*bucket.AttrArn()+"/*"))}
	if len(d.options.Mail.Domains) > 0 {
		statements = append(statements, letMailIn(d.Stack, d.options, bucket.AttrArn()))
	}
	policy := awss3.NewCfnBucketPolicy(d.Stack, jsii.String("FilesPolicy"), &awss3.CfnBucketPolicyProps{
		Bucket: bucket.Ref(), PolicyDocument: document(statements...),
	})
	identify(policy, "FilesPolicy")
	policy.ApplyRemovalPolicy(removalPolicy(d.options.Stage), nil) // a retained bucket keeps its policy
}

// filesLifecycle ends what is left of uploads, and of files that were deleted.
func filesLifecycle() *awss3.CfnBucket_LifecycleConfigurationProperty {
	former := func(days float64) *awss3.CfnBucket_NoncurrentVersionExpirationProperty {
		return &awss3.CfnBucket_NoncurrentVersionExpirationProperty{NoncurrentDays: &days}
	}
	return &awss3.CfnBucket_LifecycleConfigurationProperty{
		Rules: []*awss3.CfnBucket_RuleProperty{
			{
				Id: jsii.String("abort"), Status: jsii.String("Enabled"),
				AbortIncompleteMultipartUpload: &awss3.CfnBucket_AbortIncompleteMultipartUploadProperty{
					DaysAfterInitiation: jsii.Number(1)},
			},
			{
				Id: jsii.String("incoming"), Status: jsii.String("Enabled"), Prefix: jsii.String(media.Incoming),
				ExpirationInDays: jsii.Number(1), NoncurrentVersionExpiration: former(1),
			},
			{
				Id: jsii.String("mail"), Status: jsii.String("Enabled"), Prefix: jsii.String(media.RawMail),
				ExpirationInDays: jsii.Number(mailDays), NoncurrentVersionExpiration: former(1),
			},
			{
				Id: jsii.String("deleted"), Status: jsii.String("Enabled"), ExpiredObjectDeleteMarker: true,
				NoncurrentVersionExpiration: former(deletedDays),
			},
		},
	}
}

// filesCORS returns what pages of other origins may do with the links to files, or nil if no origin is configured. The
// console gets its address from CloudFront after the bucket was made, unless it has a domain: so every page may use a
// link. Whoever has a link may use it without a page, too.
func (d *Data) filesCORS() *awss3.CfnBucket_CorsConfigurationProperty {
	origins := slices.Clone(d.options.Origins)
	switch console := d.options.Console; {
	case console.Domain != "":
		origins = append(origins, "https://"+console.Domain)
	case console.On:
		origins = []string{"*"}
	}
	if len(origins) == 0 {
		return nil
	}
	return &awss3.CfnBucket_CorsConfigurationProperty{CorsRules: []*awss3.CfnBucket_CorsRuleProperty{{
		AllowedOrigins: jsii.Strings(origins...), AllowedMethods: jsii.Strings(topology.FilesCORS.Methods...),
		AllowedHeaders: jsii.Strings(topology.FilesCORS.Headers...),
		MaxAge:         jsii.Number(topology.FilesCORS.MaxAgeSeconds),
	}}}
}

func encryptedByS3() *awss3.CfnBucket_BucketEncryptionProperty {
	return &awss3.CfnBucket_BucketEncryptionProperty{
		ServerSideEncryptionConfiguration: []*awss3.CfnBucket_ServerSideEncryptionRuleProperty{{
			ServerSideEncryptionByDefault: &awss3.CfnBucket_ServerSideEncryptionByDefaultProperty{
				SseAlgorithm: jsii.String("AES256")},
		}},
	}
}

func ownedByTheBucket() *awss3.CfnBucket_OwnershipControlsProperty {
	return &awss3.CfnBucket_OwnershipControlsProperty{
		Rules: []*awss3.CfnBucket_OwnershipControlsRuleProperty{{ObjectOwnership: jsii.String("BucketOwnerEnforced")}},
	}
}
