import { session } from './session.svelte';

/**
 * The texts of a part that is loaded when somebody opens it first, in the language that they have chosen. The compiler
 * says which language lacks a key.
 */
export function words<K extends string>(all: Record<'en' | 'hi', Record<K, string>>): Record<K, string> {
  return all[session.language as 'en'] ?? all.en;
}
