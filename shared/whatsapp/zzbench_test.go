package whatsapp
import ("testing";"os")
func BenchmarkDecodeWebhook(b *testing.B){ body,_:=os.ReadFile("/work/shared/corpus/facebook-openapi/text-message.json"); b.SetBytes(int64(len(body))); b.ReportAllocs(); for b.Loop(){ DecodeWebhook(body)} }
