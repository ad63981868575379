/** Short messages at the lower edge of the page. Failures stay until they are closed. */
import { signal } from '@preact/signals';
import { toFailure, type Failure } from '../api/client.ts';

export interface Message {
  id: number;
  tone: 'info' | 'ok' | 'bad';
  text: string;
  failure?: Failure;
}

const INFO_MS = 5000;
const MOST = 4;
export const messages = signal<Message[]>([]);
let lastId = 0;

export function closeMessage(id: number) {
  messages.value = messages.value.filter((message) => message.id !== id);
}

function add(message: Omit<Message, 'id'>): number {
  const id = ++lastId;
  messages.value = [...messages.value, { ...message, id }].slice(-MOST);
  return id;
}

export function inform(text: string, tone: 'info' | 'ok' = 'info') {
  const id = add({ tone, text });
  window.setTimeout(() => closeMessage(id), INFO_MS);
}

/** Shows a failure; `what` is what did not work. */
export function report(what: string, problem: unknown) {
  const failure = toFailure(problem);
  if (failure.code === 'ABORTED' || failure.status === 401) return;
  const same = messages.value.find((message) => message.text === what && message.failure?.code === failure.code);
  if (!same) add({ tone: 'bad', text: what, failure });
}
