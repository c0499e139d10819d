import { query, type Conversation, type Message, type Page } from './api';
import { inbox } from './inbox.svelte';
import { wholeEvery } from './poll';
import { session } from './session.svelte';

/** The messages of one conversation, oldest first. */
export class Thread {
  messages = $state<Message[]>([]);
  conversation = $state<Conversation>();
  older = $state<string>();
  loaded = $state(false);
  readonly path: string;
  private wholeAt = 0;

  constructor(readonly id: string) {
    this.path = `/v1/conversations/${encodeURIComponent(id)}`;
  }

  /** The customer's latest message that is here. */
  get lastInbound(): string {
    return this.messages.findLast((m) => m.direction === 'inbound')?.id ?? '';
  }

  /** Asks for what is new, and how far the latest answers have come. Returns whether anything has changed. */
  async look(): Promise<boolean> {
    const since = this.unsettledSince();
    if (!since || Date.now() - this.wholeAt > wholeEvery) return this.refresh();
    const page = await session.api.call<Page<Message>>(
      'GET',
      this.path + '/messages' + query({ limit: 50, since }),
    );
    const known = new Set(this.messages.map((m) => m.id));
    const written = page.items.some((m) => m.direction === 'inbound' && !known.has(m.id));
    if (page.cursor || written) return this.refresh();
    session.online = true;
    const fresh = new Set(page.items.flatMap((m) => [m.id, m.queuedId]));
    const next = [...this.messages.filter((m) => !fresh.has(m.id)), ...page.items.reverse()];
    const changed = JSON.stringify(next) !== JSON.stringify(this.messages);
    if (changed) this.messages = next;
    return changed;
  }

  /** Since when messages may still change by themselves: the latest one, or an answer that nobody has read yet. */
  private unsettledSince(): string {
    const soon = new Date(Date.now() - 2 * 60_000).toISOString();
    const done = ['read', 'played', 'failed', 'cancelled'];
    const open = this.messages.find(
      (m) => m.direction === 'outbound' && m.receivedAt > soon && !done.includes(m.delivery?.status ?? ''),
    );
    return open?.receivedAt ?? this.messages.at(-1)?.receivedAt ?? '';
  }

  /** Reads the latest messages. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    const [page, conversation] = await Promise.all([
      session.api.call<Page<Message>>('GET', this.path + '/messages' + query({ limit: 50 })),
      session.api.call<Conversation>('GET', this.path),
    ]);
    session.online = true;
    this.wholeAt = Date.now();
    const latest = page.items.reverse();
    const known = new Set(latest.flatMap((m) => [m.id, m.queuedId]));
    const first = latest[0]?.receivedAt ?? '';
    const before = this.messages.filter((m) => !known.has(m.id) && m.receivedAt < first);
    if (!before.length) this.older = page.cursor;
    const next = [...before, ...latest];
    const changed = JSON.stringify([next, conversation]) !== JSON.stringify([this.messages, this.conversation]);
    if (changed) [this.messages, this.conversation] = [next, conversation];
    inbox.put(conversation);
    this.loaded = true;
    if (conversation.unreadCount > 0 && document.hasFocus()) await this.seen();
    return changed;
  }

  /** Reads the page of messages before those that are here. */
  async before(): Promise<void> {
    const page = await session.api.call<Page<Message>>(
      'GET',
      this.path + '/messages' + query({ limit: 50, cursor: this.older }),
    );
    const known = new Set(this.messages.map((m) => m.id));
    this.messages = [...page.items.reverse().filter((m) => !known.has(m.id)), ...this.messages];
    this.older = page.cursor;
  }

  private async seen(): Promise<void> {
    if (!session.me?.scopes.includes('haatline/inbox.write')) return;
    await session.api.call('POST', this.path + '/read').catch(() => undefined);
  }

  /** Changes who takes care of the conversation and what is left to do. */
  async work(change: Record<string, unknown>): Promise<void> {
    await session.api.call('PATCH', this.path + '/work', { body: change });
    await this.refresh();
  }

  async archive(archived: boolean): Promise<void> {
    await session.api.call('POST', this.path + (archived ? '/archive' : '/unarchive'));
    await this.refresh();
    await inbox.refresh();
  }
}
