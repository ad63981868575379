/** The live picture with the nodes on it. The pointer selects, or acts while `acting` is on or Alt is held. */
import { now } from '../state/clock.ts';
import { acting, gestureHandler } from '../state/gesture.ts';
import { inform } from '../state/messages.ts';
import { devices, selectedDevice, selectedReady, selectedSerial } from '../state/devices.ts';
import { paused, restReason } from '../state/refresh.ts';
import {
  backend, loadPicture, loadTree, marksShown, picture, pictureFailure, pictureLoading, refresh, tree, treeAt, treeLoading,
  treeStale, changes, newScreen,
} from '../state/screen.ts';
import { refreshMode, type RefreshMode } from '../state/settings.ts';
import { stateOf } from '../shelf/words.ts';
import { Button } from '../widgets/Button.tsx';
import { Empty, FailureNotice, Words } from '../widgets/Notice.tsx';
import { Stage } from './Stage.tsx';

const MODES: [string, string][] = [
  ['change', 'on change'], ['manual', 'by hand'], ['250', '4 a second'], ['500', '2 a second'], ['1000', 'each second'],
  ['2000', 'each 2 s'], ['5000', 'each 5 s'],
];
const REST = {
  paused: { word: 'paused', why: 'p loads it again' },
  hidden: { word: 'paused', why: 'the page is hidden' },
  busy: { word: 'waits', why: 'a command runs on the device, and the next picture comes after it' },
};

const HOW_TO_ACT = 'The pointer acts now: a click taps, a long click presses, a drag swipes; right click: Back, middle click: Home.';
let explained = false;

function parseMode(value: string): RefreshMode {
  return value === 'change' || value === 'manual' ? value : Number(value);
}

function ageOf(time: number): string {
  const seconds = Math.max(0, Math.floor((now.value - time) / 1000));
  return seconds < 1 ? 'now' : seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

function Tools() {
  const toggleActing = () => {
    if (!gestureHandler.value) inform('Nothing can act yet: choose a device that is ready.');
    else acting.value = !acting.value;
    if (acting.value && !explained) inform(HOW_TO_ACT);
    explained ||= acting.value;
  };
  return (
    <div class="tools">
      <Button small onClick={refresh} title="Refresh picture and tree (r)" disabled={!selectedReady.value}>Refresh</Button>
      <Button small pressed={paused.value} title="Pause the picture (p)" onClick={() => {
        paused.value = !paused.value;
      }}>Pause</Button>
      <label class="row small">
        <span class="unseen">Refresh the picture</span>
        <select class="small" title="When the picture is loaded" value={String(refreshMode.value)} onChange={(event) => {
          refreshMode.value = parseMode(event.currentTarget.value);
        }}>{MODES.map(([value, name]) => <option key={value} value={value}>{name}</option>)}</select>
      </label>
      <span class="grow" />
      <Button small pressed={acting.value} disabled={!selectedReady.value} onClick={toggleActing}
        title="The pointer taps, presses and swipes; right click: Back, middle click: Home (a, or hold Alt)">Act</Button>
    </div>
  );
}

function Ages() {
  const rest = restReason.value;
  return (
    <div class="ages small">
      {picture.value && rest !== 'absent' && <span class={`badge ${rest ? 'warn' : ''}`} title={`Taken ${ageOf(picture.value.takenAt)}${rest ? `; ${REST[rest]!.why}` : ''}`}>
        picture {rest ? REST[rest]!.word : ageOf(picture.value.takenAt)}</span>}
      {tree.value && <span class={`badge ${treeStale.value ? 'warn' : ''}`} title={`Read ${ageOf(treeAt.value)}${
        treeStale.value ? '; the picture has changed since' : ''}`}>tree {treeStale.value ? 'outdated' : ageOf(treeAt.value)}</span>}
      {(treeLoading.value || (pictureLoading.value && !picture.value)) && <span class="spinner" aria-hidden="true" />}
      {rest && !picture.value && rest !== 'absent' && <span class="badge warn" title={REST[rest]!.why}>picture {REST[rest]!.word}</span>}
      {newScreen.value && <span class="badge" title="Nearly every node is new, so no changes are marked">new screen</span>}
      {changes.value && changes.value.changed.size > 0 && !newScreen.value && (
        <Button small kind="quiet" pressed={marksShown.value} onClick={() => {
          marksShown.value = !marksShown.value;
        }}>{changes.value.changed.size} changed</Button>
      )}
    </div>
  );
}

/** Reading by the shell is the user's choice: it silences the accessibility services of the phone meanwhile. */
export function ShellOffer({ code }: { code: string }) {
  if (!code.startsWith('OPERATOR_') || backend.value === 'shell') return null;
  return (
    <Button small onClick={() => {
      backend.value = 'shell';
      void loadTree();
    }}>Read by the phone's own shell</Button>
  );
}

function Content() {
  const row = selectedDevice.value;
  if (!row && selectedSerial.value)
    return <Empty title={`${selectedSerial.value} is gone`}>The page shows it again once it is back. Or choose another device.</Empty>;
  if (!row)
    return <Empty title="No device is chosen">{devices.value?.length
      ? 'Choose one in the list of devices.'
      : <>Connect a phone by USB, or run <code>clawperator connect HOST:PORT</code>. <code>clawperator sim</code> starts a phone to try
          this page with.</>}</Empty>;
  if (row.state !== 'device')
    return <Empty title={`The device is ${stateOf(row.state).words}`}><Words text={stateOf(row.state).advice} /></Empty>;
  if (picture.value) return <Stage />;
  if (pictureFailure.value) return null;
  if (restReason.value === 'paused' || refreshMode.value === 'manual')
    return <Empty title="No picture yet" actions={<Button kind="primary" onClick={loadPicture}>Load it</Button>}>The picture is not loaded by itself now.</Empty>;
  return <Empty title="Loading the picture…" />;
}

export function PicturePane() {
  const failure = pictureFailure.value;
  return (
    <>
      <Tools />
      <Ages />
      {failure && selectedReady.value && <div class="pane-notice"><FailureNotice what="No picture" failure={failure}
        actions={<Button small onClick={loadPicture}>Try again</Button>} /></div>}
      <Content />
    </>
  );
}
