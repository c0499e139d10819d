import { query, type Conversation } from './api';
import { inbox } from './inbox.svelte';
import { session } from './session.svelte';
import type { Thread } from './thread.svelte';

type Answer = { conversations: Conversation[]; gone: string[]; anew: boolean; until: string };

/** Since when to ask. Empty before the lists are read for the first time. */
let until = '';

/** How often lists are read as a whole all the same, in milliseconds: changes do not tell of an erased conversation. */
const wholeEvery = 10 * 60_000;
let wholeAt = 0;

/** Asks what has changed, in the lists and in the open conversation. Returns false: nothing has to be asked sooner. */
export async function look(open?: Thread): Promise<boolean> {
  const first = !until;
  // The first visit waits for one round trip: each answer looks back a little, so that their order does not matter.
  const [answer] = await Promise.all([
    session.api.call<Answer>('GET', '/v1/changes' + query({ after: until })),
    first && inbox.refresh(),
  ]);
  session.online = true;
  const whole = first || answer.anew || Date.now() - wholeAt > wholeEvery;
  if (whole) await Promise.all([!first && inbox.refresh(), open?.loaded && open.refresh()]);
  else await tell(answer, open);
  if (whole) wholeAt = Date.now();
  until = answer.until;
  return false;
}

async function tell(answer: Answer, open?: Thread): Promise<void> {
  inbox.take(answer.conversations, answer.gone);
  const changed = answer.conversations.find((row) => row.id === open?.id);
  if (changed || answer.gone.includes(open?.id ?? '')) await open?.changed(changed);
}
