// The console as AWS has it: the page and the API at one origin, the sign-in pages at another one. Both lead to the local
// cloud, which has all of it at one address.
import { createServer, request } from 'node:http';

/** Returns the address of such a page, and what ends it. */
export async function apart(cloud) {
  const [page, pages] = [createServer(), createServer()];
  const at = {};
  for (const [server, name] of [
    [page, '127.0.0.1'],
    [pages, 'localhost'],
  ]) {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    at[name] = `http://${name}:${server.address().port}`;
  }
  const [ours, signIn] = [at['127.0.0.1'] + '/', at.localhost];
  const to = (text, from, into) => text.replaceAll(encodeURIComponent(from), encodeURIComponent(into));

  /** Asks the cloud what a browser has asked here, and lets `change` have a look at the answer. */
  async function pass(asked, answer, change = () => undefined) {
    const chunks = [];
    for await (const chunk of asked) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(
        ([name]) => !/^(host|origin|referer|sec-fetch.*|content-length)$/.test(name),
      ),
    );
    const url = new URL(to(asked.url, ours, cloud), cloud);
    const sent = request(url, { method: asked.method, headers }, async (got) => {
      const body = [];
      for await (const chunk of got) body.push(chunk);
      const out = { ...got.headers };
      change(out);
      answer.writeHead(got.statusCode, out).end(Buffer.concat(body));
    });
    sent.on('error', () => answer.writeHead(502).end());
    sent.end(to(Buffer.concat(chunks).toString(), ours, cloud));
  }

  page.on('request', async (asked, answer) => {
    if (asked.url.startsWith('/config.json')) {
      const config = await (await fetch(cloud + 'config.json')).json();
      answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ...config, signIn }));
      return;
    }
    await pass(asked, answer, (headers) => {
      const policy = 'content-security-policy';
      if (headers[policy]) headers[policy] = headers[policy].replace("connect-src 'self'", `$& ${signIn}`);
    });
  });
  pages.on('request', (asked, answer) =>
    pass(asked, answer, (headers) => {
      delete headers['content-security-policy']; // it lets a form lead to its own origin alone
      if (headers.location?.startsWith(cloud)) headers.location = headers.location.replace(cloud, ours);
      if (asked.url.startsWith('/oauth2/token')) headers['access-control-allow-origin'] = '*'; // as Cognito does
    }),
  );
  return {
    ours,
    signIn,
    end: () => [page, pages].forEach((server) => (server.closeAllConnections(), server.close())),
  };
}
