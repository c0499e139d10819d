import { Refused } from './api';
import { session } from './session.svelte';

/** Of what a browser is told. */
export const wishes = ['mine', 'needs_person', 'unassigned'] as const;
export type Wish = (typeof wishes)[number];

/** What this browser is called, once it has been registered, and what for. */
type Registered = { id: string; subject: string; tenant: string; endpoint: string; wants: Wish[]; at?: number };
const kept = 'push';

/** Whether this browser can be notified at all. On iPhones only a page that was installed can. */
export const able = () => 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window;

export function registered(): Registered | undefined {
  const text = localStorage.getItem(kept);
  return text ? (JSON.parse(text) as Registered) : undefined;
}

const bytes = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const pathOf = (tenant: string) => '/v1/tenants/' + encodeURIComponent(tenant);

/** Has this browser notified. It asks the person first, so it has to follow from a click of theirs. */
export async function turnOn(wants: Wish[], tenant = session.me?.tenants[0] ?? ''): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { publicKey } = await session.api.call<{ publicKey: string }>('POST', pathOf(tenant) + '/push-key');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytes(publicKey) };
  const at = await pushManager.subscribe(options).catch(async () => {
    // It was subscribed to somebody else's key.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys } = at.toJSON();
  const id = registered()?.id ?? crypto.randomUUID();
  const body = {
    endpoint,
    keys: { publicKey: keys?.p256dh, secret: keys?.auth },
    wants,
    language: session.language,
  };
  await session.api.call('PUT', `${pathOf(tenant)}/push-devices/${id}`, { body });
  const is: Registered = { id, subject: session.subject, tenant, endpoint: endpoint ?? '', wants, at: Date.now() };
  localStorage.setItem(kept, JSON.stringify(is));
  return true;
}

/** How long signing out waits for this, in milliseconds. */
const patience = 3_000;

/**
 * Has this browser notified no more. If the API cannot be reached, the push service tells it later that the browser is
 * gone.
 */
export async function turnOff(): Promise<void> {
  const was = registered();
  localStorage.removeItem(kept);
  if (!was) return;
  const path = `${pathOf(was.tenant)}/push-devices/${was.id}`;
  const done = Promise.allSettled([
    session.api.call('DELETE', path),
    navigator.serviceWorker.ready.then(async ({ pushManager }) =>
      (await pushManager.getSubscription())?.unsubscribe(),
    ),
  ]);
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, patience))]);
}

/** How long a browser need not prove that its owner may be told, in milliseconds. */
const proved = 20 * 60 * 60_000;

/**
 * Registers this browser again, once a day, because its owner may have lost the role to be told, and if its push
 * service has given it another endpoint. Where somebody else has signed in, it does not tell what is the former one's.
 */
export async function renew(): Promise<void> {
  const was = registered();
  if (!was || !able() || Notification.permission !== 'granted') return;
  if (was.subject !== session.subject) return turnOff();
  const at = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (at?.endpoint === was.endpoint && Date.now() - (was.at ?? 0) < proved) return;
  await turnOn(was.wants, was.tenant).catch((error) => {
    if (error instanceof Refused && [403, 404].includes(error.status)) return turnOff();
  }); // nobody knows yet who looks
}
