/** The keys of the whole page. Panes add their own while they are shown. */
import { altHeld, acting } from '../state/gesture.ts';
import { keysShown, layout, page, pane } from '../state/layout.ts';
import { paused } from '../state/refresh.ts';
import { hovered, refresh, select } from '../state/screen.ts';

export interface Key {
  keys: string[];
  what: string;
}

export const KEYS: { place: string; list: Key[] }[] = [
  { place: 'Everywhere', list: [
    { keys: ['?'], what: 'show this list' },
    { keys: ['1', '2', '3'], what: 'open Screen, Skills, Agent skills' },
    { keys: ['Esc'], what: 'clear the selection, leave a field, close a dialog' },
  ] },
  { place: 'Screen', list: [
    { keys: ['/'], what: 'search the tree' },
    { keys: ['r'], what: 'refresh picture and tree' },
    { keys: ['p'], what: 'pause or resume the picture' },
    { keys: ['a'], what: 'act by pointer: tap, long press, swipe; right click: Back, middle click: Home' },
    { keys: ['Alt'], what: 'act by pointer while it is held' },
  ] },
  { place: 'Tree', list: [
    { keys: ['↑', '↓'], what: 'select the node above or below' },
    { keys: ['←', '→'], what: 'fold or unfold; go to the parent or the first child' },
    { keys: ['Home', 'End'], what: 'select the first or the last node' },
    { keys: ['PgUp', 'PgDn'], what: 'move by a page' },
  ] },
];

const bindings = new Map<string, () => void>();

/** Runs `action` for a key that no field takes; returns what ends that. */
export function bindKey(key: string, action: () => void): () => void {
  bindings.set(key, action);
  return () => {
    if (bindings.get(key) === action) bindings.delete(key);
  };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function onKey(event: KeyboardEvent) {
  if (event.key === 'Alt') altHeld.value = true;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]')) return;
  if (isField(event.target)) {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    return;
  }
  const action = bindings.get(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}

function focusSearch() {
  page.value = 'screen';
  if (layout.value !== 'wide') pane.value = 'tree';
  // The field may appear by this very key.
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#tree-search')?.select());
}

export function watchKeys() {
  window.addEventListener('keydown', onKey);
  window.addEventListener('keyup', (event) => {
    if (event.key === 'Alt') {
      // Alone, Alt opens the menu of some browsers.
      event.preventDefault();
      altHeld.value = false;
    }
  });
  window.addEventListener('blur', () => {
    altHeld.value = false;
  });
  bindKey('?', () => {
    keysShown.value = true;
  });
  bindKey('1', () => { page.value = 'screen'; });
  bindKey('2', () => { page.value = 'skills'; });
  bindKey('3', () => { page.value = 'agent-skills'; });
  bindKey('/', focusSearch);
  bindKey('r', refresh);
  bindKey('p', () => { paused.value = !paused.value; });
  bindKey('a', () => { acting.value = !acting.value; });
  bindKey('Escape', () => {
    select(null);
    hovered.value = null;
    acting.value = false;
  });
}
