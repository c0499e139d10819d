import { Api, type Me, type Number, type Person, type Store } from './api';
import { languages, type Texts } from './texts';

type Config = { session: string };

/** Who works here, in which language, and what the whole page shares. */
class Session {
  me = $state<Me>();
  numbers = $state<Number[]>([]);
  stores = $state<Store[]>([]);
  people = $state<Person[]>([]);
  online = $state(true);
  problem = $state('');
  now = $state(Date.now());
  language = $state(localStorage.getItem('language') ?? (navigator.language.startsWith('hi') ? 'hi' : 'en'));
  readonly texts: Texts = $derived((languages[this.language] ?? languages.en!).texts);
  readonly api: Api;
  private config?: Promise<Config>;
  private held = '';

  constructor() {
    this.api = new Api((fresh) => this.token(fresh));
  }

  private async token(fresh: boolean): Promise<string> {
    if (this.held && !fresh) return this.held;
    this.config ??= fetch('/config.json').then((r) => r.json() as Promise<Config>);
    const answer = await fetch((await this.config).session, { method: 'POST' });
    if (!answer.ok) {
      this.problem = 'signedOut';
      throw new Error('signed out');
    }
    return (this.held = (await answer.json()).token);
  }

  async begin(): Promise<void> {
    try {
      this.me = await this.api.call<Me>('GET', '/v1/me');
      const tenant = this.me.tenants[0];
      [this.numbers, this.stores, this.people] = await Promise.all([
        this.all<Number>('/v1/numbers'),
        tenant ? this.all<Store>(`/v1/stores?tenantId=${encodeURIComponent(tenant)}`) : [],
        tenant ? this.all<Person>(`/v1/tenants/${encodeURIComponent(tenant)}/people`) : [],
      ]);
      this.problem = '';
    } catch {
      this.problem ||= 'failedToLoad';
    }
  }

  /** What somebody may not see is left out. */
  private async all<T>(path: string): Promise<T[]> {
    return this.api.call<{ items: T[] }>('GET', path).then(
      (page) => page.items,
      () => [],
    );
  }

  speak(language: string): void {
    this.language = language;
    localStorage.setItem('language', language);
    document.documentElement.lang = language;
  }

  nameOf(number: string): string {
    const found = this.numbers.find((n) => n.phoneNumberId === number);
    return found?.verifiedName || (found?.displayPhoneNumber ? '+' + found.displayPhoneNumber : number);
  }

  storeOf(number: string): Store | undefined {
    return this.stores.find((s) => s.phoneNumberIds.includes(number));
  }
}

export const session = new Session();
