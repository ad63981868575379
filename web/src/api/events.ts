/** The server's events. The browser resumes a lost stream by Last-Event-ID; what cannot be resumed is loaded again. */
import { signal } from '@preact/signals';

export type EventName = 'clawperator:devices' | 'clawperator:result' | 'clawperator:stage' | 'clawperator:execution'
  | 'clawperator:input' | 'clawperator:skill' | 'clawperator:agent-skills';

const NAMES: EventName[] = ['clawperator:devices', 'clawperator:result', 'clawperator:stage', 'clawperator:execution',
  'clawperator:input', 'clawperator:skill', 'clawperator:agent-skills'];
const RETRY_MS = 3000;

/** `open` once the stream delivers events. */
export const connection = signal<'closed' | 'connecting' | 'open'>('closed');

type Handler = (data: any) => void;
const handlers = new Map<EventName, Set<Handler>>();
const reloads = new Set<() => void>();
let source: EventSource | null = null;
let retry = 0;
let lost = false;

/** Runs `handler` for each event of that name; returns what ends that. */
export function onEvent(name: EventName, handler: Handler): () => void {
  const set = handlers.get(name) ?? new Set();
  handlers.set(name, set.add(handler));
  return () => set.delete(handler);
}

/** Runs `action` when events may have been missed: state must be loaded again. */
export function onReload(action: () => void): () => void {
  reloads.add(action);
  return () => reloads.delete(action);
}

function reload() {
  for (const action of reloads) action();
}

function deliver(name: EventName, event: MessageEvent) {
  const data = JSON.parse(event.data);
  for (const handler of handlers.get(name) ?? []) handler(data);
}

export function connectEvents() {
  disconnectEvents();
  connection.value = 'connecting';
  const stream = new EventSource('/events?stages=true');
  source = stream;
  stream.addEventListener('open', () => {
    connection.value = 'open';
    if (lost) reload();
    lost = false;
  });
  stream.addEventListener('error', () => {
    lost = true;
    connection.value = 'connecting';
    // The browser gives up after an answer that is no stream (401, 429, 503).
    if (stream.readyState === EventSource.CLOSED) {
      window.clearTimeout(retry);
      retry = window.setTimeout(connectEvents, RETRY_MS);
    }
  });
  stream.addEventListener('clawperator:gap', reload);
  for (const name of NAMES) stream.addEventListener(name, (event) => deliver(name, event as MessageEvent));
}

export function disconnectEvents() {
  window.clearTimeout(retry);
  source?.close();
  source = null;
  connection.value = 'closed';
}
