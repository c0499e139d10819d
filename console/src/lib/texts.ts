import { en } from './texts.en';
import { hi } from './texts.hi';

export type Texts = Record<keyof typeof en, string>;
export const languages: Record<string, { name: string; texts: Texts }> = {
  en: { name: 'English', texts: en },
  hi: { name: 'हिन्दी', texts: hi },
};
