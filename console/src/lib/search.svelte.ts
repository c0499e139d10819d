import { query, type Conversation, type Message, type Note, type Page } from './api';
import { inbox } from './inbox.svelte';
import { session } from './session.svelte';

export type Piece = { text: string; found?: boolean };
export type Result = {
  kind: 'conversation' | 'note' | 'message';
  conversation: Conversation;
  message?: Message;
  note?: Note;
  snippet: Piece[];
};
type Results = Page<Result> & { complete: boolean };

/** How many messages a page of a conversation has. */
const size = 50;

/** What was found in all conversations of the numbers that somebody looks at. */
class Search {
  asked = $state('');
  results = $state<Result[]>([]);
  cursor = $state<string>();
  complete = $state(true);
  busy = $state(false);
  failed = $state(false);
  /** The message that was chosen among the results, in its place. */
  place = $state<Place>();

  async find(text: string): Promise<void> {
    [this.asked, this.results, this.cursor, this.complete] = [text.trim(), [], undefined, true];
    if (this.asked) await this.more();
  }

  async more(): Promise<void> {
    const { asked, cursor } = this;
    [this.busy, this.failed] = [true, false];
    try {
      const page = await session.api.call<Results>(
        'GET',
        '/v1/search' + query({ q: asked, phoneNumberId: inbox.number, limit: 20, cursor }),
      );
      if (asked !== this.asked || cursor !== this.cursor) return;
      this.results = [...this.results, ...page.items];
      [this.cursor, this.complete] = [page.cursor, page.complete];
    } catch {
      this.failed = asked === this.asked;
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  /** Opens the conversation of a result, at the message if it is one. */
  async open(result: Result): Promise<void> {
    const id = result.conversation.id;
    this.place = undefined;
    inbox.choose(id);
    if (!result.message) return;
    const place = new Place(id, result.message.id);
    await place.begin();
    if (inbox.chosen === id) this.place = place;
  }
}

/** The messages around one of a conversation, oldest first. */
export class Place {
  messages = $state.raw<Message[]>([]);
  older = $state<string>();
  newer = $state(true);

  constructor(
    readonly conversation: string,
    readonly message: string,
  ) {}

  private page(more: Record<string, string | undefined>): Promise<Page<Message>> {
    const path = `/v1/conversations/${encodeURIComponent(this.conversation)}/messages`;
    return session.api.call<Page<Message>>('GET', path + query({ limit: size, ...more }));
  }

  async begin(): Promise<void> {
    const page = await this.page({ around: this.message });
    [this.messages, this.older] = [page.items.reverse(), page.cursor];
  }

  async before(): Promise<void> {
    const page = await this.page({ around: this.message, cursor: this.older });
    this.messages = [...page.items.reverse(), ...this.messages];
    this.older = page.cursor;
  }

  async after(): Promise<void> {
    const last = this.messages.at(-1);
    if (!last) return;
    const page = await this.page({ newerThan: last.id });
    this.messages = [...this.messages, ...page.items.reverse()];
    this.newer = page.items.length === size;
  }
}

export const search = new Search();
