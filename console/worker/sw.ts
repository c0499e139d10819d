/** Holds the shell of the page, as of one release, so that a return visit does not wait for the network. */
declare const self: ServiceWorkerGlobalScope;
/** The build puts this in: the files of the shell, what they hash to, and what the index hashes to. */
declare const SHELL: { release: string; files: string[]; index: string };

const prefix = 'shell ';
const name = prefix + SHELL.release;
const index = '/';

/** Whether an index is that of this release. While a release is put on a server, it may still be the former one. */
async function isOurs(answer: Response): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', await answer.clone().arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === SHELL.index;
}

/** A release is taken as a whole, or not at all. Open pages go on as they are: all of theirs is loaded. */
async function take(): Promise<void> {
  const cache = await caches.open(name);
  const fresh = (file: string): RequestCache => (file.startsWith('/assets/') ? 'default' : 'reload');
  await cache.addAll(SHELL.files.map((file) => new Request(file, { cache: fresh(file) })));
  const kept = await cache.match(index);
  if (!kept || !(await isOurs(kept))) {
    await caches.delete(name);
    throw new Error('the index is of another release');
  }
  await self.skipWaiting();
}

/** Keeps the release before this one, for a page that is just being loaded, and forgets the others. */
async function settle(): Promise<void> {
  const others = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(others.slice(0, -1).map((other) => caches.delete(other)));
  await self.clients.claim();
}

/** The policy of the page is in the headers of its index, and may change without a release. */
async function refreshIndex(): Promise<void> {
  const now = await fetch(index, { cache: 'no-cache' });
  if (!now.ok || now.redirected) return;
  if (await isOurs(now)) await (await caches.open(name)).put(index, now);
  else await self.registration.update();
}

self.addEventListener('install', (event) => event.waitUntil(take()));
self.addEventListener('activate', (event) => event.waitUntil(settle()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (pathname !== index) return;
    event.waitUntil(refreshIndex().catch(() => undefined));
    event.respondWith(caches.match(index, { cacheName: name }).then((kept) => kept ?? fetch(request)));
  } else if (SHELL.files.includes(pathname) || pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  }
  // All else is the network's: what the API says, and /config.json, are never kept here.
});

/** What the API posts to the browser's push service, encrypted for this browser alone. */
type Told = { title: string; body: string; conversation: string };
const at = (conversation: string) => '/#' + encodeURIComponent(conversation);

/** Who looks at the page sees it there. */
async function tell({ title, body, conversation }: Told): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window' });
  if (open.some((page) => page.focused)) return;
  await self.registration.showNotification(title, {
    body,
    tag: conversation, // the next one takes its place
    icon: '/icon-192.png',
    data: conversation,
  });
}

/** One tap leads to the conversation: in the page that is open, or in a new one. */
async function show(conversation: string): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return void (await self.clients.openWindow(at(conversation)));
  await page.focus();
  await page.navigate(at(conversation)); // only the part behind # changes, so nothing is loaded
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(tell(event.data.json() as Told));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data as string));
});

export {};
