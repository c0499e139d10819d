// A receiver for an ERP: it verifies each webhook of haatline, does each event once, and writes a line for each. Replace
// the line by what your ERP does with an order, a payment or an entry. It needs Node.js 20 and nothing else:
//
//   WEBHOOK_SECRET=whsec_… HAATLINE_API=https://… HAATLINE_TOKEN=… PORT=8080 node erp.mjs
//
// With HAATLINE_API it reads orders from there: an event holds ids and states, and never what a customer is called.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const tolerance = 5 * 60; // seconds
const biggest = 64 * 1024; // bytes

// verified reports whether haatline has signed a body now: "{id}.{timestamp}.{body}", by HMAC-SHA256.
function verified(headers, body) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return false;
  const want = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',');
    const have = Buffer.from(encoded, 'base64');
    return version === 'v1' && have.length === want.length && timingSafeEqual(have, want);
  });
}

// done are the ids of the events that are dealt with. An ERP keeps them in a table, with what it does, in one transaction.
const done = new Set();

async function detailsOf(event) {
  if (!process.env.HAATLINE_API || !event.type.startsWith('order.')) return event.data;
  const path = `/v1/stores/${event.data.storeId}/orders/${event.data.orderId}`;
  const answer = await fetch(process.env.HAATLINE_API + path, {
    headers: { Authorization: `Bearer ${process.env.HAATLINE_TOKEN}` },
  });
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`);
  return answer.json();
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    if ((size += chunk.length) > biggest) return request.destroy();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks); // as it was posted: parsing and writing it anew would break the signature
  const id = request.headers['webhook-id'];
  if (!verified(request.headers, body)) return response.writeHead(401).end();
  if (done.has(id)) return response.writeHead(204).end(); // it was posted again
  try {
    const event = JSON.parse(body);
    console.log(JSON.stringify({ id, type: event.type, details: await detailsOf(event) }));
    done.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(500).end(); // haatline posts it again
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`listening on ${server.address().port}`));
