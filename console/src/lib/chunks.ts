import type { Message } from './api';

/** Messages that stand together. `from` is the place of the first of them among all. */
export type Chunk = { key: string; from: number; messages: Message[] };

/** How many messages a chunk has at most: as many as can be drawn within a frame. */
const size = 10;

/**
 * Cuts messages into chunks. `starts` remembers with which messages chunks begin: what comes before or after what is
 * here changes no chunk but the last one.
 */
export function cut(messages: Message[], starts: Set<string>): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [i, message] of messages.entries()) {
    const key = message.queuedId ?? message.id;
    const last = chunks.at(-1);
    if (last && last.messages.length < size && !starts.has(key)) {
      last.messages.push(message);
      continue;
    }
    starts.add(key);
    chunks.push({ key, from: i, messages: [message] });
  }
  return chunks;
}
