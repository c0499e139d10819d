// Runs at CloudFront before a file of the console is looked up. An address without a file's ending is the page's own.
function handler(event) {
  const request = event.request;
  const last = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (!last.includes('.')) request.uri = '/index.html';
  return request;
}
