import { Refused, type Sendable } from './api';
import { outbox, type Draft } from './outbox.svelte';
import { session } from './session.svelte';

/** A file that somebody sends, until haatline has it and WhatsApp has taken it. */
export type Upload = {
  key: string;
  conversation: string;
  name: string;
  done: number; // of 1
  problem: string;
  file: File;
  caption: string;
};

type Link = { id: string; url: string };

/** How long WhatsApp may take for a file before the page gives up, in milliseconds. */
const patience = 3 * 60_000;

/** As what WhatsApp shows a file. What it cannot show is a document. */
export function kindOf(type: string): Draft['kind'] {
  const plain = type.split(';')[0] ?? '';
  if (plain === 'image/jpeg' || plain === 'image/png') return 'image';
  if (plain === 'video/mp4' || plain === 'video/3gpp') return 'video';
  if (plain === 'audio/ogg') return 'voice';
  if (['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4'].includes(plain)) return 'audio';
  return 'document';
}

/**
 * The files that are on their way. A file lives in the page until haatline has it; from then on its message waits in the
 * page's outbox as any other.
 */
class Uploads {
  all = $state<Upload[]>([]);
  private running = new Map<string, AbortController>();

  of(conversation: string): Upload[] {
    return this.all.filter((one) => one.conversation === conversation);
  }

  add(conversation: string, phone: string, file: File, caption: string): void {
    const key = crypto.randomUUID();
    this.all.push({ key, conversation, name: file.name, done: 0, problem: '', file, caption });
    void this.run(this.all.at(-1)!, phone);
  }

  again(upload: Upload, phone: string): void {
    this.stop(upload.key);
    this.add(upload.conversation, phone, upload.file, upload.caption);
  }

  stop(key: string): void {
    this.running.get(key)?.abort();
    this.all = this.all.filter((one) => one.key !== key);
  }

  private async run(upload: Upload, phone: string): Promise<void> {
    const ends = new AbortController();
    this.running.set(upload.key, ends);
    const kind = kindOf(upload.file.type);
    try {
      const id = await put(phone, upload.file, ends.signal, (done) => (upload.done = done));
      if (ends.signal.aborted) return;
      const named = kind === 'document' ? { filename: upload.name } : {};
      const caption = upload.caption && kind !== 'audio' && kind !== 'voice' ? { caption: upload.caption } : {};
      const shown = upload.caption || upload.name;
      outbox.add({ conversation: upload.conversation, kind, body: { mediaId: id, ...named, ...caption }, shown });
      this.stop(upload.key);
    } catch (error) {
      if (!ends.signal.aborted) upload.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.running.delete(upload.key);
    }
  }
}

export const uploads = new Uploads();

/** Brings a file to haatline and to WhatsApp. Returns its id, when the number can send it. */
export async function put(
  phone: string,
  file: File,
  signal: AbortSignal,
  told: (done: number) => void,
): Promise<string> {
  const contentType = file.type.split(';')[0] || 'application/octet-stream';
  const base = `/v1/numbers/${encodeURIComponent(phone)}/media`;
  const link = await session.api.call<Link>('POST', base, {
    body: { contentType, size: file.size },
    key: crypto.randomUUID(),
  });
  await transfer(link.url, contentType, file, signal, told);
  const path = `${base}/${encodeURIComponent(link.id)}`;
  let state = await session.api.call<Sendable>('PUT', path, { body: { filename: file.name } });
  for (const until = Date.now() + patience; !state.sendable.some((from) => from.phoneNumberId === phone);) {
    if (state.uploadFailure) throw new Error(state.uploadFailure);
    if (Date.now() > until || signal.aborted) throw new Error(session.texts.fileWaits);
    await new Promise((resolve) => setTimeout(resolve, 700));
    state = await session.api.call<Sendable>('GET', '/v1/media/' + encodeURIComponent(link.id));
  }
  return link.id;
}

/** Puts a file under a link. Only XMLHttpRequest tells how much has gone. */
function transfer(
  url: string,
  type: string,
  file: File,
  signal: AbortSignal,
  told: (done: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', type);
    request.upload.onprogress = (event) => told(event.loaded / Math.max(1, event.total));
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new Refused(request.status, 'upload', request.statusText));
    request.onerror = () => reject(new Refused(0, 'offline', session.texts.fileOffline));
    signal.addEventListener('abort', () => request.abort());
    request.onabort = () => reject(new Error('stopped'));
    request.send(file);
  });
}
