/** Requests to the server that this page comes from. Every failure is thrown as a Failure. */
import type { paths } from '../api.gen.ts';
import { Failure, failureOf } from './failure.ts';

export { Failure, toFailure } from './failure.ts';

type Method = 'get' | 'post' | 'delete';
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: object } } ? P : never;
}[keyof paths];
export type Answer<P extends keyof paths, M extends Method> =
  paths[P] extends { [K in M]: { responses: { 200: { content: { 'application/json': infer T } } } } } ? T : never;
export type Body<P extends keyof paths, M extends Method> =
  paths[P] extends { [K in M]: { requestBody?: { content: { 'application/json': infer T } } } } ? T : object;

export type DeviceDetails = Answer<'/devices/{serial}', 'get'>;
export type DeviceRow = Answer<'/devices', 'get'>['devices'][number];

export interface Options {
  /** Values for the `{names}` of the path. */
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** What the session does when the server wants one: 401, or 403 SESSION_REQUIRED, which is repeated once. */
let access = { unauthorized: () => {}, renew: async () => {} };
export function onAccess(actions: typeof access) {
  access = actions;
}

export function urlOf(path: string, options: Options = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}

/** The answer itself, for bodies that are not JSON. Statuses beside `allowed` and the successes are thrown. */
export async function request(method: Method, path: string, options: Options = {}, body?: unknown,
  allowed: number[] = [], renewed = false): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(urlOf(path, options), {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: options.signal,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') throw new Failure('ABORTED', 'The page stopped the request.', 0);
    throw new Failure('SERVER_UNREACHABLE', 'The server does not answer.', 0,
      'Check that `clawperator serve` still runs; the page tries again by itself.');
  }
  if (answer.ok || allowed.includes(answer.status)) return answer;
  const failure = failureOf(answer.status, await answer.json().catch(() => null));
  if (failure.code === 'SESSION_REQUIRED' && !renewed) {
    await access.renew();
    return request(method, path, options, body, allowed, true);
  }
  if (answer.status === 401 && path !== '/session') access.unauthorized();
  throw failure;
}

export async function get<P extends PathsOf<'get'>>(path: P, options: Options = {}): Promise<Answer<P, 'get'>> {
  return (await request('get', path, options)).json();
}

export async function post<P extends PathsOf<'post'>>(path: P, body: Body<P, 'post'>,
  options: Options = {}): Promise<Answer<P, 'post'>> {
  return (await request('post', path, options, body)).json();
}

export async function remove<P extends PathsOf<'delete'>>(path: P, options: Options = {}): Promise<void> {
  await request('delete', path, options);
}
