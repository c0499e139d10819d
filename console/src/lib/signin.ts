import * as oauth from 'oauth4webapi';
import { attempt, type Landed } from './landing';

/** What `/config.json` says. Without `signIn` nobody can sign in here. */
export type Config = {
  /** Who issues the tokens, and where its sign-in pages are: those of Cognito's managed login. */
  issuer: string;
  signIn?: string;
  clientId: string;
  scopes: string;
  /** The origin of the API, if it is not the page's own. */
  api?: string;
  /** The live channel, if there is one. */
  live?: string;
  /** How often the page asks what has changed, in milliseconds, if nothing tells it to ask at once. */
  pace?: number;
};

export type Tokens = { access: string; expiresIn: number; refresh?: string; subject?: string };

/** The sign-in pages have said no: what was given to them is good for nothing any more. */
export class Denied extends Error {}

const here = () => location.origin + '/';
const nobody = oauth.None();

function server(config: Config): oauth.AuthorizationServer {
  const at = config.signIn;
  return {
    issuer: config.issuer,
    authorization_endpoint: at + '/oauth2/authorize',
    token_endpoint: at + '/oauth2/token',
    revocation_endpoint: at + '/oauth2/revoke',
  };
}

/**
 * The ID token comes straight from its issuer, in answer to this attempt's nonce. So its times need no clock that is
 * right, which those of computers in shops often are not.
 */
function clientOf(config: Config): oauth.Client {
  return { client_id: config.clientId, [oauth.clockTolerance]: 366 * 24 * 60 * 60 };
}

/** Plain HTTP is for the local cloud alone. */
function options(config: Config) {
  const { hostname } = new URL(config.signIn ?? '');
  return {
    [oauth.allowInsecureRequests]: hostname === 'localhost' || hostname === '127.0.0.1',
    signal: AbortSignal.timeout(20_000),
  };
}

/**
 * The address of the sign-in pages, for a new attempt that this tab remembers. `beyond` is a scope that no session holds:
 * whoever asks for it shows once more who they are.
 */
export async function ask(config: Config, beyond = ''): Promise<string> {
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  sessionStorage.setItem(attempt + state, JSON.stringify({ verifier, nonce, hash: location.hash, beyond }));
  const url = new URL(server(config).authorization_endpoint!);
  url.search = new URLSearchParams({
    client_id: config.clientId,
    redirect_uri: here(),
    response_type: 'code',
    scope: beyond ? `openid ${beyond}` : config.scopes,
    ...(beyond && { prompt: 'login' }),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  return url.href;
}

/** The tokens of somebody who comes back from the sign-in pages. */
export async function redeem(config: Config, from: Landed): Promise<Tokens> {
  const [as, client] = [server(config), clientOf(config)];
  return received(async () => {
    const parameters = oauth.validateAuthResponse(as, client, from.url, from.state);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      nobody,
      parameters,
      here(),
      from.verifier,
      options(config),
    );
    return oauth.processAuthorizationCodeResponse(as, client, answer, {
      expectedNonce: from.nonce,
      requireIdToken: true,
    });
  });
}

/** New tokens for a refresh token, which is replaced by this. */
export async function renew(config: Config, refresh: string): Promise<Tokens> {
  const [as, client] = [server(config), clientOf(config)];
  return received(async () => {
    const answer = await oauth.refreshTokenGrantRequest(as, client, nobody, refresh, options(config));
    return oauth.processRefreshTokenResponse(as, client, answer);
  });
}

async function received(get: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens> {
  try {
    const got = await get();
    return {
      access: got.access_token,
      expiresIn: got.expires_in ?? 300,
      refresh: got.refresh_token,
      subject: oauth.getValidatedIdTokenClaims(got)?.sub,
    };
  } catch (error) {
    const no =
      (error instanceof oauth.ResponseBodyError && error.status < 500 && error.status !== 429) ||
      error instanceof oauth.AuthorizationResponseError;
    throw no ? new Denied(error.error) : error;
  }
}

/** Ends a refresh token, and all that it was replaced by. Returns whether that has arrived. */
export function revoke(config: Config, refresh: string): Promise<boolean> {
  return fetch(server(config).revocation_endpoint!, {
    method: 'POST',
    mode: 'no-cors', // nobody reads the answer
    keepalive: true,
    body: new URLSearchParams({ token: refresh, client_id: config.clientId }),
    signal: AbortSignal.timeout(5_000),
  }).then(
    () => true,
    () => false,
  );
}

/** The address that signs somebody out of the sign-in pages, too, and leads back. */
export function leaving(config: Config): string {
  return `${config.signIn}/logout?` + new URLSearchParams({ client_id: config.clientId, logout_uri: here() });
}
