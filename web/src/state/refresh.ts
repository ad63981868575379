/** When the picture is loaded by itself. It is the last to use the device: every execution comes first. */
import { computed, effect, signal } from '@preact/signals';
import { onEvent, onReload } from '../api/events.ts';
import { session } from '../api/session.ts';
import { changesScreen, isBusy } from './activity.ts';
import { nextDelay, type Pace } from './pace.ts';
import { page } from './layout.ts';
import { selectedReady, selectedSerial } from './devices.ts';
import { loadPicture, loadTree, picture, pictureFailure, tree, treeAt, treeFailure, treeLoading, treeStale } from './screen.ts';
import { refreshMode } from './settings.ts';

/** The user stopped the picture. */
export const paused = signal(false);
const hidden = signal(document.hidden);
document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden;
});

/** Why no picture is loaded now; null while it is. */
export const restReason = computed<'paused' | 'hidden' | 'busy' | 'absent' | null>(() => {
  if (session.value !== 'ready' || !selectedReady.value) return 'absent';
  if (paused.value) return 'paused';
  if (hidden.value || page.value !== 'screen') return 'hidden';
  return isBusy(selectedSerial.value) ? 'busy' : null;
});

/** After an event: the next execution of an agent may begin at once, and then the picture waits. */
const SOON_MS = 100;
const pace: Pace = { unchanged: 0, failures: 0 };
let timer = 0;

function plan(delay: number) {
  window.clearTimeout(timer);
  timer = window.setTimeout(turn, delay);
}

/**
 * The tree follows once the picture is at rest, so that it does not meet the next execution of an agent. A change since
 * the picture of `before` does not count if the tree was read after that: the action that made it has read the tree.
 */
function followTree(changed: boolean, before: number) {
  if (changed && tree.value && treeAt.value < before) treeStale.value = true;
  if (changed && treeFailure.value && !treeFailure.value.code.startsWith('OPERATOR_')) treeFailure.value = null;
  if (treeStale.value && !changed) readTreeOnce();
}

function readTreeOnce() {
  if (!treeLoading.value && !treeFailure.value) void loadTree({ queue: false });
}

async function turn() {
  if (restReason.value || refreshMode.value === 'manual') return;
  const before = picture.value?.takenAt ?? 0;
  if (!tree.value) readTreeOnce();
  const changed = await loadPicture();
  pace.failures = pictureFailure.value ? pace.failures + 1 : 0;
  pace.unchanged = changed ? 0 : pace.unchanged + 1;
  if (restReason.value) return;
  followTree(changed, before);
  plan(nextDelay(refreshMode.value, pace));
}

/** Loads now, and again soon: something has happened on the device. */
export function expectChange() {
  pace.unchanged = 0;
  if (!restReason.value && refreshMode.value !== 'manual') plan(SOON_MS);
}

export function watchRefresh() {
  // What was true of a device that was gone may not be true now.
  effect(() => {
    if (!selectedReady.value) return;
    treeFailure.value = null;
    pictureFailure.value = null;
    treeStale.value = tree.peek() !== null;
  });
  effect(() => {
    selectedSerial.value;
    if (restReason.value === null && refreshMode.value !== 'manual') expectChange();
    else window.clearTimeout(timer);
  });
  // By hand alone still means: the first picture and tree of a device are shown.
  effect(() => {
    if (selectedReady.value && session.value === 'ready' && refreshMode.value === 'manual' && !picture.peek()) {
      void loadPicture();
      void loadTree();
    }
  });
  // A server that starts anew has forgotten the snapshots that it showed.
  onReload(() => {
    treeStale.value = tree.value !== null;
    expectChange();
  });
  onEvent('clawperator:execution', ({ deviceId, input }) => {
    if (deviceId === selectedSerial.value && changesScreen(input)) expectChange();
  });
  onEvent('clawperator:input', ({ deviceId }) => {
    if (deviceId === selectedSerial.value) expectChange();
  });
}
