/** Which page and which panes are shown. */
import { computed, effect, signal } from '@preact/signals';

export type Page = 'screen' | 'skills' | 'agent-skills';
export type Pane = 'picture' | 'tree' | 'selector' | 'act' | 'steps';

const PAGES: Page[] = ['screen', 'skills', 'agent-skills'];

function pageOfAddress(): Page {
  const name = location.hash.slice(1) as Page;
  return PAGES.includes(name) ? name : 'screen';
}

export const page = signal<Page>(pageOfAddress());
window.addEventListener('hashchange', () => {
  page.value = pageOfAddress();
});
effect(() => {
  if (page.value !== pageOfAddress()) history.replaceState(null, '', `#${page.value}`);
});

function media(query: string) {
  const list = window.matchMedia(query);
  const state = signal(list.matches);
  list.addEventListener('change', () => {
    state.value = list.matches;
  });
  return state;
}

const atLeastMedium = media('(min-width: 720px)');
const atLeastWide = media('(min-width: 1200px)');
/** wide: picture, tree and one more pane; medium: picture and one pane; narrow: one pane. */
export const layout = computed(() => (atLeastWide.value ? 'wide' : atLeastMedium.value ? 'medium' : 'narrow'));

/** The pane that the user chose last. */
export const pane = signal<Pane>('selector');
/** The panes among which the tabs choose; the others are always shown. */
export const tabbedPanes = computed<Pane[]>(() => {
  const all: Pane[] = ['picture', 'tree', 'selector', 'act', 'steps'];
  return all.slice({ wide: 2, medium: 1, narrow: 0 }[layout.value]);
});
export const shownPane = computed<Pane>(() =>
  tabbedPanes.value.includes(pane.value) ? pane.value : tabbedPanes.value[0]!);
if (!atLeastWide.value) pane.value = atLeastMedium.value ? 'tree' : 'picture';

export const keysShown = signal(false);
export const shelfOpen = signal(false);
