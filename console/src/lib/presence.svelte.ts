import type { Hint } from './live';
import { may } from './may';
import { repeat } from './poll';
import { session } from './session.svelte';

type Here = { by: string; typing: number; until: number }; // until when

/** How often somebody who goes on typing says so, and who is there, in milliseconds. */
const typingEvery = 5000;
const hereEvery = 60_000;

/** Who else has conversations open, and who is typing there. It is told on the live channel and kept nowhere. */
class Presence {
  private all = $state<Record<string, Here[]>>({});
  private path = '';
  private typedAt = 0;

  /** Takes what a colleague does in a conversation. */
  told(hint: Hint): void {
    const { of, by } = hint;
    if (!of || !by || by === session.me?.subject) return;
    const until = hint.kind === 'away' ? 0 : Date.parse(hint.until ?? '');
    const others = (this.all[of] ?? []).filter((one) => one.by !== by);
    if (!(until > Date.now())) return void (this.all[of] = others);
    const typing = hint.kind === 'typing' ? until : 0;
    // Who has typed is still there, and says so within a minute.
    const here = { by, typing, until: typing ? Math.max(until, Date.now() + hereEvery) : until };
    this.all[of] = [...others, here];
    for (const end of [typing, here.until]) if (end) setTimeout(() => this.forget(of), end - Date.now() + 100);
  }

  /** Drops what holds no longer. */
  private forget(of: string): void {
    const now = Date.now();
    this.all[of] = (this.all[of] ?? [])
      .filter((one) => one.until > now)
      .map((one) => (one.typing > now ? one : { ...one, typing: 0 }));
  }

  /** What stands above an answer: who is there, and who is typing. */
  said(hash: string): string {
    const name = (one: Here) =>
      session.people.find((person) => person.subject === one.by)?.name ?? session.texts.colleague;
    const here = this.all[hash] ?? [];
    const list = (some: Here[]) => new Intl.ListFormat(session.language).format(some.map(name));
    const typing = here.filter((one) => one.typing);
    if (typing.length) return session.texts.areTyping.replace('{who}', list(typing));
    return here.length ? session.texts.areHere.replace('{who}', list(here)) : '';
  }

  private async say(path: string, state: string): Promise<boolean> {
    await session.api.call('PUT', path + '/presence', { body: { state } }).catch(() => undefined);
    return false;
  }

  /** Says that a conversation is open, until its end is called. */
  opens(path: string): () => void {
    if (!session.live || !may('inbox.write')) return () => undefined;
    this.path = path;
    const told = repeat(
      () => this.say(path, 'online'),
      hereEvery,
      () => hereEvery,
    );
    return () => {
      told.end();
      this.path = '';
      void this.say(path, 'away');
    };
  }

  /** Says that somebody types in the open conversation, now and then. */
  types(): void {
    if (!this.path || Date.now() - this.typedAt < typingEvery) return;
    this.typedAt = Date.now();
    void this.say(this.path, 'typing');
  }
}

export const presence = new Presence();
