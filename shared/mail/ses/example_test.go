package ses_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"github.com/haatline/haatline/shared/mail/ses"
)

// taking is a service that takes every message.
type taking struct{}

func (taking) SendEmail(context.Context, *sesv2.SendEmailInput, ...func(*sesv2.Options)) (
	*sesv2.SendEmailOutput, error) {
	return &sesv2.SendEmailOutput{MessageId: aws.String("0109018f-1")}, nil
}

// A reply refers to the Message-ID that SES has given, and not to the one that was written.
func ExampleClient_Send() {
	client := &ses.Client{API: taking{}, Region: "ap-south-1"}
	id, err := client.Send(context.Background(), ses.Email{
		From: "jobs@haat.example", To: "asha@example.com", Raw: []byte("From: jobs@haat.example\r\n\r\nHi")})
	fmt.Println(id, err)
	// Output: 0109018f-1@ap-south-1.amazonses.com <nil>
}
