package stacks

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"
)

// filesBucketName returns the name of the bucket of files. It names the account and the region, because names of buckets are unique in
// all of AWS.
func (d *Data) filesBucketName() string {
	return "haatline-files-" + string(d.stage) + "-" + *d.Account() + "-" + *d.Region()
}

// addFiles adds the bucket of the files that customers send. It is kept as the tables are. A file stays until its message is erased.
func (d *Data) addFiles() {
	bucket := awss3.NewCfnBucket(d.Stack, jsii.String("Files"), &awss3.CfnBucketProps{
		BucketName:       jsii.String(d.filesBucketName()),
		BucketEncryption: encryptedByS3(),
		PublicAccessBlockConfiguration: &awss3.CfnBucket_PublicAccessBlockConfigurationProperty{
			BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true,
		},
		OwnershipControls: ownedByTheBucket(),
		LifecycleConfiguration: &awss3.CfnBucket_LifecycleConfigurationProperty{
			Rules: []*awss3.CfnBucket_RuleProperty{{
				Id: jsii.String("abort"), Status: jsii.String("Enabled"),
				AbortIncompleteMultipartUpload: &awss3.CfnBucket_AbortIncompleteMultipartUploadProperty{DaysAfterInitiation: jsii.Number(1)},
			}},
		},
	})
	identify(bucket, "Files")
	bucket.ApplyRemovalPolicy(removalPolicy(d.stage), nil)
	policy := awss3.NewCfnBucketPolicy(d.Stack, jsii.String("FilesPolicy"), &awss3.CfnBucketPolicyProps{
		Bucket:         bucket.Ref(),
		PolicyDocument: document(denyPlainHTTP("s3:*", bucket.AttrArn(), jsii.String(*bucket.AttrArn()+"/*"))),
	})
	identify(policy, "FilesPolicy")
	policy.ApplyRemovalPolicy(removalPolicy(d.stage), nil) // a retained bucket keeps its policy
}

func encryptedByS3() *awss3.CfnBucket_BucketEncryptionProperty {
	return &awss3.CfnBucket_BucketEncryptionProperty{
		ServerSideEncryptionConfiguration: []*awss3.CfnBucket_ServerSideEncryptionRuleProperty{{
			ServerSideEncryptionByDefault: &awss3.CfnBucket_ServerSideEncryptionByDefaultProperty{SseAlgorithm: jsii.String("AES256")},
		}},
	}
}

func ownedByTheBucket() *awss3.CfnBucket_OwnershipControlsProperty {
	return &awss3.CfnBucket_OwnershipControlsProperty{
		Rules: []*awss3.CfnBucket_OwnershipControlsRuleProperty{{ObjectOwnership: jsii.String("BucketOwnerEnforced")}},
	}
}
