import type { Component } from 'svelte';
import type { Conversation } from '../../lib/api';
import type { Draft } from '../../lib/outbox.svelte';

/** What a form of the composer is given. `send` returns whether the message is on its way. */
export type Making = {
  conversation: Conversation;
  /** What was written in the answer field. */
  text: string;
  /** Whether WhatsApp would take it now. */
  open: boolean;
  send: (kind: Draft['kind'], body: Record<string, unknown>, shown: string) => Promise<boolean>;
  close: () => void;
};

/** The forms, each loaded when somebody opens it first. */
export const forms: Record<
  'buttons' | 'list' | 'products' | 'place',
  () => Promise<{ default: Component<Making> }>
> = {
  buttons: () => import('./Buttons.svelte'),
  list: () => import('./ListMessage.svelte'),
  products: () => import('./Products.svelte'),
  place: () => import('./Location.svelte'),
};
