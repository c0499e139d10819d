import { query, Refused, type Conversation, type Message, type Page } from './api';
import { inbox } from './inbox.svelte';
import { session } from './session.svelte';

/** What a message is known by, before and after WhatsApp has given it an id. */
const keyOf = (m: Message) => m.queuedId ?? m.id;

/** The messages of one conversation, oldest first. */
export class Thread {
  messages = $state.raw<Message[]>([]);
  /** The messages by their ids. */
  readonly byId: Map<string, Message> = $derived(new Map(this.messages.map((m) => [m.id, m])));
  conversation = $state<Conversation>();
  older = $state<string>();
  loaded = $state(false);
  /** Increases with each hint that something is new here. */
  hinted = $state(0);
  readonly path: string;
  private told?: string;

  constructor(readonly id: string) {
    this.path = `/v1/conversations/${encodeURIComponent(id)}`;
  }

  /** The customer's latest message that is here. */
  get lastInbound(): string {
    return this.messages.findLast((m) => m.direction === 'inbound')?.id ?? '';
  }

  /** Takes that the conversation has changed, to what the list says of it. */
  async changed(to?: Conversation): Promise<void> {
    if (to && JSON.stringify(to) === this.told) return;
    await this.refresh();
    this.told = to && JSON.stringify(to);
  }

  /** Asks how far the latest answers have come, while they are on their way. Returns whether anything has changed. */
  async look(): Promise<boolean> {
    if (!this.loaded) return this.refresh();
    const since = this.unsettledSince();
    if (!since) return false;
    const page = await session.api.call<Page<Message>>(
      'GET',
      this.path + '/messages' + query({ limit: 50, since }),
    );
    if (page.cursor) return this.refresh();
    session.online = true;
    const fresh = new Set(page.items.map(keyOf));
    return this.take(
      this.messages.filter((m) => !fresh.has(keyOf(m))),
      page.items.reverse(),
    );
  }

  /**
   * Shows messages, the latest of which were read now. One that is as it was stays the same, and so does one that has
   * been sent since: an answer that was asked for earlier may come later. Returns whether any changed.
   */
  private take(before: Message[], latest: Message[]): boolean {
    const old = new Map(this.messages.slice(-latest.length * 2).map((m) => [keyOf(m), m]));
    const next = latest.map((m) => {
      const known = old.get(keyOf(m));
      return known && ((known.queuedId && !m.queuedId) || JSON.stringify(known) === JSON.stringify(m)) ? known : m;
    });
    const all = [...before, ...next];
    const changed = all.length !== this.messages.length || all.some((m, i) => m !== this.messages[i]);
    if (changed) this.messages = all;
    return changed;
  }

  /** Since when an answer is on its way that nobody has read yet, or a file that is not here yet. */
  private unsettledSince(): string {
    const soon = new Date(Date.now() - 2 * 60_000).toISOString();
    const done = ['read', 'played', 'failed', 'cancelled'];
    const open = this.messages.find(
      (m) =>
        m.receivedAt > soon &&
        (m.media?.fetched === false || (m.direction === 'outbound' && !done.includes(m.delivery?.status ?? ''))),
    );
    return open?.receivedAt ?? '';
  }

  /** Reads the latest messages. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    const [page, conversation] = await Promise.all([
      session.api.call<Page<Message>>('GET', this.path + '/messages' + query({ limit: 50 })),
      session.api.call<Conversation>('GET', this.path),
    ]).catch((error) => this.leave(error));
    session.online = true;
    if (conversation.mergedInto && inbox.chosen === this.id) inbox.choose(conversation.mergedInto);
    const latest = page.items.reverse();
    const known = new Set(latest.map(keyOf));
    const first = latest[0]?.receivedAt ?? '';
    const before = this.messages.filter((m) => !known.has(keyOf(m)) && m.receivedAt < first);
    if (!before.length) this.older = page.cursor;
    const other = JSON.stringify(conversation) !== JSON.stringify(this.conversation);
    if (other) this.conversation = conversation;
    const changed = this.take(before, latest) || other;
    inbox.take([conversation]);
    this.loaded = true;
    if (conversation.unreadCount > 0 && document.hasFocus()) await this.seen();
    return changed;
  }

  /** Leaves a conversation that is not there any more, because it was erased. */
  private leave(error: unknown): never {
    if (error instanceof Refused && error.status === 404) {
      inbox.take([], [this.id]);
      if (inbox.chosen === this.id) inbox.choose('');
    }
    throw error;
  }

  /** Reads the page of messages before those that are here. */
  async before(): Promise<void> {
    const page = await session.api.call<Page<Message>>(
      'GET',
      this.path + '/messages' + query({ limit: 100, cursor: this.older }),
    );
    const known = new Set(this.messages.map(keyOf));
    this.messages = [...page.items.reverse().filter((m) => !known.has(keyOf(m))), ...this.messages];
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
  }
}
