import { session } from './session.svelte';
import { Waiting, type Kept } from './waiting.svelte';

/** A message that somebody has written here, until the API has taken it. */
export type Draft = Kept & {
  conversation: string;
  kind:
    | ('text' | 'template' | 'image' | 'video' | 'audio' | 'voice' | 'document')
    | ('button' | 'list' | 'product' | 'product-list' | 'location');
  shown: string;
};

/** The messages that wait. Those of a conversation go in their order. */
export const outbox = new Waiting<Draft>(
  'outbox ',
  (draft) => `/v1/conversations/${encodeURIComponent(draft.conversation)}/messages/${draft.kind}`,
  (draft) => draft.conversation,
);

/** What somebody has begun to write in a conversation. */
export const drafts = {
  get: (conversation: string) => localStorage.getItem(draftOf(conversation)) ?? '',
  set: (conversation: string, text: string) =>
    text ? localStorage.setItem(draftOf(conversation), text) : localStorage.removeItem(draftOf(conversation)),
};

function draftOf(conversation: string): string {
  return `draft ${session.subject} ${conversation}`;
}
