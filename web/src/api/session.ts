/** The cookie that stands for the token. Also without a token it proves that a request comes from this page. */
import { signal } from '@preact/signals';
import { get, onAccess, post, toFailure, type Failure } from './client.ts';

/** `token`: the server waits for the token. */
export const session = signal<'starting' | 'token' | 'ready' | 'unreachable'>('starting');
export const sessionFailure = signal<Failure | null>(null);
export const tokenRequired = signal(false);

const KEPT = 'clawperator.tokenRequired';
const RETRY_MS = 3000;

onAccess({
  unauthorized: () => {
    session.value = 'token';
  },
  renew: () => signIn(''),
});

/** Sends the token; '' where none is needed. The cookie of the answer is for this page alone. */
export async function signIn(token: string): Promise<void> {
  const answer = await post('/session', { token });
  tokenRequired.value = answer.tokenRequired;
  localStorage.setItem(KEPT, String(answer.tokenRequired));
  session.value = 'ready';
}

/** Uses the cookie of an earlier visit, or starts a session without a token; else the page asks for the token. */
export async function beginSession(): Promise<void> {
  try {
    await get('/devices');
    // An empty token would count as a wrong one, so none is sent while the cookie stands for a token.
    if (localStorage.getItem(KEPT) === 'true') tokenRequired.value = true;
    else await signIn('').catch(() => {});
    session.value = 'ready';
    sessionFailure.value = null;
  } catch (problem) {
    if ((problem as Failure).status === 401) return;
    sessionFailure.value = toFailure(problem);
    session.value = 'unreachable';
    window.setTimeout(beginSession, RETRY_MS);
  }
}

export async function endSession(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
  session.value = 'token';
}
