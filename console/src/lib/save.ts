import { session } from './session.svelte';

/** Fetches a file of the API and keeps it on this device, under the name that the API gives it. */
export async function save(path: string, name: string): Promise<void> {
  const file = await session.api.file(path);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
