/** What the user chose, kept in this browser. */
import { effect, signal, type Signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
/** `change`: after actions and executions; `manual`: by hand alone; a number: milliseconds between pictures. */
export type RefreshMode = 'change' | 'manual' | number;
export type TreeView = 'compact' | 'full' | 'xml';

function kept<T>(name: string, initial: T, valid: (value: unknown) => boolean): Signal<T> {
  const key = `clawperator.${name}`;
  let start = initial;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (valid(value)) start = value as T;
  } catch {
    // A broken value, or no storage: the default stands.
  }
  const state = signal(start);
  effect(() => {
    const text = JSON.stringify(state.value);
    try {
      localStorage.setItem(key, text);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  });
  return state;
}

const oneOf = (...values: unknown[]) => (value: unknown) => values.includes(value);

export const theme = kept<Theme>('theme', 'system', oneOf('system', 'light', 'dark'));
export const refreshMode = kept<RefreshMode>('refresh', 'change', oneOf('change', 'manual', 250, 500, 1000, 2000, 5000));
export const treeView = kept<TreeView>('treeView', 'compact', oneOf('compact', 'full', 'xml'));
export const interactiveOnly = kept('interactiveOnly', false, oneOf(true, false));
export const visibleOnly = kept('visibleOnly', false, oneOf(true, false));
export const lastDevice = kept('device', '', (value) => typeof value === 'string');

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<'light' | 'dark'>(systemDark.matches ? 'dark' : 'light');
systemDark.addEventListener('change', () => {
  systemTheme.value = systemDark.matches ? 'dark' : 'light';
});

effect(() => {
  document.documentElement.dataset.theme = theme.value === 'system' ? systemTheme.value : theme.value;
});
