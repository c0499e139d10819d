import { Api, Refused, type Me, type Number, type Person, type Store } from './api';
import { landed, stray, type Landed } from './landing';
import { ask, Denied, leaving, redeem, renew, revoke, type Config, type Tokens } from './signin';
import { languages, type Texts } from './texts';

/** What a sign-in leaves in this browser. Its pages share it, and it outlives them: CONSOLE.md says why it lies here. */
type Kept = { subject: string; refresh: string; config: Config; access?: Access };
/** An access token, and from when until when it counts, in milliseconds. */
type Access = { token: string; from: number; until: number };

const place = 'session';
const left = 'signed-out';

function read(): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Kept | null;
    return kept?.subject && kept.refresh && kept.config?.signIn ? kept : undefined;
  } catch {
    return undefined;
  }
}

function same(a: Config, b: Config): boolean {
  return a.issuer === b.issuer && a.clientId === b.clientId;
}

/**
 * Where somebody stands: on the way to the sign-in pages, signed in, signed in until their time was over (what they do is
 * still on the screen), signed out, come back without success, or at a page that has no sign-in.
 */
export type Standing = 'starting' | 'in' | 'ended' | 'out' | 'failed' | 'impossible';

/** How long before its end an access token is replaced, in milliseconds. */
const margin = 5 * 60_000;
/** For how long a new access token that the API refuses is not replaced, in milliseconds: another one helps nobody. */
const youth = 15_000;

/** How long the page holds a scope that somebody has signed in for once more, in milliseconds. */
const brief = 10 * 60_000;

/** Who works here, in which language, and what the whole page shares. */
class Session {
  me = $state<Me>();
  numbers = $state<Number[]>([]);
  stores = $state<Store[]>([]);
  people = $state<Person[]>([]);
  online = $state(true);
  now = $state(Date.now());
  language = $state(localStorage.getItem('language') ?? (navigator.language.startsWith('hi') ? 'hi' : 'en'));
  readonly texts: Texts = $derived((languages[this.language] ?? languages.en!).texts);
  readonly api: Api;
  /** What somebody has signed in for once more, and where they were. It is in this page's memory alone. */
  beyond = $state.raw<{ scope: string; api: Api; hash: string }>();
  standing = $state<Standing>('starting');
  private kept = read();
  private fetched?: Promise<Config>;
  private renewing?: Promise<string>;

  constructor() {
    this.api = new Api(
      (refused) => this.token(refused),
      () => this.kept?.config.api ?? '',
    );
    if (this.kept && (!landed || landed.beyond)) this.standing = 'in';
  }

  /** Whose the page is: what they have written belongs to them alone. */
  get subject(): string {
    return this.kept?.subject ?? this.me?.subject ?? '';
  }

  /** Signs in whoever comes back from the sign-in pages, and leads there whoever has not been there. */
  async start(): Promise<void> {
    this.speak(this.language);
    addEventListener('storage', (event) => {
      if (event.key === place) this.look();
      if (event.key === left) this.leave();
    });
    if (this.standing === 'in') {
      if (landed?.beyond) void this.exceed(landed).catch(() => undefined); // it is as if nobody had asked
      return this.compare();
    }
    const out = sessionStorage.getItem(left);
    sessionStorage.removeItem(left);
    try {
      if (landed) {
        const config = await this.config();
        this.take(config, await redeem(config, landed));
      } else if (out) {
        this.standing = 'out';
      } else if (stray) {
        this.standing = 'failed'; // to ask by itself again could go on for ever
      } else {
        await this.signIn();
      }
    } catch {
      this.standing = 'failed';
    }
  }

  async signIn(): Promise<void> {
    const config = await this.config().catch(() => undefined);
    if (!config) {
      this.online = false;
      if (this.standing === 'starting') this.standing = 'failed';
    } else if (!config.signIn) {
      this.standing = 'impossible';
    } else {
      location.assign(await ask(config));
    }
  }

  /** Has somebody show once more who they are, for a scope that their session does not hold. */
  async signInFor(scope: string): Promise<void> {
    const config = this.kept?.config;
    if (config?.signIn) location.assign(await ask(config, scope));
  }

  /** Holds for a while what somebody has signed in for once more. What would renew it is ended at once. */
  private async exceed(from: Landed): Promise<void> {
    const kept = this.kept!;
    const tokens = await redeem(kept.config, from);
    if (tokens.refresh) void revoke(kept.config, tokens.refresh);
    if (tokens.subject !== kept.subject) return; // it was somebody else
    const api = new Api(
      async () => tokens.access,
      () => kept.config.api ?? '',
    );
    this.beyond = { scope: from.beyond, api, hash: location.hash };
    setTimeout(() => (this.beyond = undefined), brief);
  }

  /** Signs out here, on the other pages of this browser, and at the sign-in pages. Nothing that waits is lost. */
  async signOut(): Promise<void> {
    if (localStorage.getItem('push')) await import('./push').then((push) => push.turnOff()).catch(() => undefined);
    const kept = this.kept;
    this.forget();
    localStorage.setItem(left, new Date().toISOString());
    this.leave();
    if (!kept || !(await revoke(kept.config, kept.refresh))) return;
    sessionStorage.setItem(left, 'yes');
    location.assign(leaving(kept.config));
  }

  /** Shows nothing more of what somebody has worked on. */
  private leave(): void {
    [this.kept, this.beyond, this.standing] = [undefined, undefined, 'out'];
  }

  private config(): Promise<Config> {
    const asked = (this.fetched ??= fetch('/config.json', { cache: 'no-store' }).then((answer) => {
      if (!answer.ok) throw new Error('config.json: ' + answer.status);
      return answer.json() as Promise<Config>;
    }));
    asked.catch(() => (this.fetched = undefined));
    return asked;
  }

  /** A return visit does not wait for the configuration. If it has changed, the new one counts from now on. */
  private async compare(): Promise<void> {
    const config = await this.config().catch(() => undefined);
    if (!config || !this.kept || JSON.stringify(config) === JSON.stringify(this.kept.config)) return;
    if (!config.signIn || !same(config, this.kept.config)) {
      this.forget();
      return this.signIn();
    }
    this.keep({ ...this.kept, config });
  }

  /** The address of the live channel, if there is one. */
  get live(): string {
    return (this.standing === 'in' && this.me && this.kept?.config.live) || '';
  }

  /** How often to ask what has changed, in milliseconds. A call costs its price, so AWS is asked seldom. */
  get pace(): number {
    return this.kept?.config.pace ?? 10_000;
  }

  /** Returns an access token. */
  access(): Promise<string> {
    return this.token();
  }

  /** Returns an access token: another one than that which the API has refused. */
  private async token(refused?: string): Promise<string> {
    const held = this.kept?.access;
    const age = held ? Date.now() - held.from : 0;
    if (held && refused === held.token && age >= 0 && age < youth)
      throw new Refused(401, 'refused', 'the API refuses a new token');
    // A clock that was set back makes no token count for longer.
    const left = held && held.token !== refused && age >= 0 ? held.until - Date.now() : 0;
    if (held && left > margin) return held.token;
    this.renewing ??= this.renew(held?.token).finally(() => (this.renewing = undefined));
    if (!held || left <= 0) return this.renewing;
    this.renewing.catch(() => undefined); // the present one still serves
    return held.token;
  }

  /**
   * One page of the browser at a time replaces the refresh token, since each serves once. What another page has got
   * meanwhile serves here, too.
   */
  private async renew(former?: string): Promise<string> {
    return await navigator.locks.request(place, async () => {
      this.kept = read();
      if (!this.kept) throw this.end();
      const { access } = this.kept;
      if (access && access.token !== former && access.until - Date.now() > margin) return access.token;
      try {
        this.take(this.kept.config, await renew(this.kept.config, this.kept.refresh));
      } catch (error) {
        if (!(error instanceof Denied)) throw new Refused(0, 'offline', 'offline');
        this.forget();
        throw this.end();
      }
      return this.kept.access!.token;
    });
  }

  private take(config: Config, tokens: Tokens): void {
    const [refresh, subject] = [tokens.refresh ?? this.kept?.refresh, tokens.subject ?? this.kept?.subject];
    if (!refresh || !subject) throw new Error('the sign-in pages have said too little');
    const from = Date.now();
    this.keep({
      subject,
      refresh,
      config,
      access: { token: tokens.access, from, until: from + tokens.expiresIn * 1000 },
    });
    this.standing = 'in';
  }

  private keep(kept: Kept): void {
    this.kept = kept;
    localStorage.setItem(place, JSON.stringify(kept));
  }

  private forget(): void {
    this.kept = undefined;
    localStorage.removeItem(place);
  }

  private end(): Refused {
    if (this.standing === 'in' && this.me) this.standing = 'ended';
    else if (this.standing === 'in') {
      this.standing = 'starting'; // nobody has begun anything yet
      void this.signIn();
    }
    return new Refused(401, 'signed-out', 'signed out');
  }

  /** Another page of this browser has signed somebody in or out. */
  private look(): void {
    const kept = read();
    if (kept && this.me && kept.subject !== this.me.subject) return location.reload();
    this.kept = kept;
    if (kept) this.standing = 'in';
    else this.end();
  }

  async begin(): Promise<void> {
    try {
      this.me = await this.api.call<Me>('GET', '/v1/me');
      const tenant = this.me.tenants[0];
      [this.numbers, this.stores, this.people] = await Promise.all([
        this.all<Number>('/v1/numbers'),
        tenant ? this.all<Store>(`/v1/stores?tenantId=${encodeURIComponent(tenant)}`) : [],
        tenant ? this.all<Person>(`/v1/tenants/${encodeURIComponent(tenant)}/colleagues?limit=100`) : [],
      ]);
    } catch {
      if (!this.me) setTimeout(() => this.begin(), 5000);
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
