/**
 * The live channel: AppSync Events, or its stand-in in the local cloud. A hint has no content, and one that is lost costs
 * nothing, because the page also asks by itself.
 */
type Said = { type: string; connectionTimeoutMs?: number; event?: string };

/** A change of a conversation: `by` is its hash. Or what a colleague does there: `of` is its hash, `by` who it is. */
export type Hint = { kind?: string; of?: string; by?: string; until?: string };

export type Channel = {
  url: string;
  /** The numbers to listen to, each with its tenant. */
  numbers: { tenant: string; phone: string }[];
  token: () => Promise<string>;
  /** Takes the hash of a conversation that has changed; "" if the hint names none. */
  heard: (hash: string) => void;
  /** Takes what a colleague does in a conversation. */
  present: (hint: Hint) => void;
  /** Whether hints come now. */
  listening: (now: boolean) => void;
};

const longest = 50;

/** The part of a channel's path that stands for an id, as the publisher writes it. */
async function segment(id: string): Promise<string> {
  if (id.length <= longest && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(id) && !id.startsWith('x-')) return id;
  return 'x-' + (await digest(id, 20));
}

async function digest(text: string, bytes: number): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash).subarray(0, bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** How a hint names a conversation. */
export const hashOf = (conversation: string) => digest(conversation, 8);

const encode = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Listens until its end, over every break. Returns what ends it. */
export function listen(channel: Channel): () => void {
  let ended = false;
  let socket: WebSocket | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let pause = 1000;

  async function connect() {
    if (ended || document.hidden) return;
    // The names of the two ends of AppSync differ in one word.
    const host = new URL(channel.url).host.replace('appsync-realtime-api', 'appsync-api');
    const authorization = { host, Authorization: await channel.token() };
    const opened = new WebSocket(channel.url, ['aws-appsync-event-ws', 'header-' + encode(authorization)]);
    socket = opened;
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let limit = 300_000;
    const alive = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => opened.close(), limit);
    };
    opened.onopen = () => (alive(), opened.send('{"type":"connection_init"}'));
    opened.onmessage = async (event) => {
      const said = JSON.parse(event.data as string) as Said;
      alive();
      if (said.type === 'data') {
        const hint = JSON.parse(said.event ?? '{}') as Hint;
        if (['typing', 'online', 'away'].includes(hint.kind ?? '')) channel.present(hint);
        else channel.heard(hint.by ?? '');
      }
      if (said.type === 'subscribe_success') channel.listening(true);
      if (said.type !== 'connection_ack') return;
      [pause, limit] = [1000, said.connectionTimeoutMs ?? limit];
      for (const [i, { tenant, phone }] of channel.numbers.entries()) {
        const path = `/haatline/${await segment(tenant)}/number/${await segment(phone)}`;
        opened.send(JSON.stringify({ type: 'subscribe', id: String(i), channel: path, authorization }));
      }
    };
    opened.onclose = () => {
      clearTimeout(quiet);
      channel.listening(false);
      if (socket !== opened) return;
      socket = undefined;
      clearTimeout(again);
      if (!ended) again = setTimeout(start, pause);
      pause = Math.min(60_000, pause * 2 * (0.75 + Math.random() / 2));
    };
  }

  function start() {
    connect().catch(() => {
      if (!ended) again = setTimeout(start, (pause = Math.min(60_000, pause * 2)));
    });
  }

  /** A page that wakes up connects anew: a connection that slept may be dead without knowing. */
  function seen() {
    if (document.hidden || ended) return;
    clearTimeout(again);
    const old = socket;
    socket = undefined;
    old?.close();
    pause = 1000;
    start();
  }
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('online', seen);
  start();
  return () => {
    ended = true;
    clearTimeout(again);
    socket?.close();
    document.removeEventListener('visibilitychange', seen);
    window.removeEventListener('online', seen);
  };
}
