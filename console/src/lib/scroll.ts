import { tick } from 'svelte';

/** Adds what is older above what somebody reads, which stays where it is on the screen. */
export async function keepPlace(box: HTMLElement | undefined, add: () => Promise<void>): Promise<void> {
  const height = box?.scrollHeight ?? 0;
  await add();
  await tick();
  if (box) box.scrollTop += box.scrollHeight - height;
}
