import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bindKey, KEYS } from '../keys/keys.ts';
import { selectedDevice, selectedReady, selectedSerial } from '../state/devices.ts';
import { pane } from '../state/layout.ts';
import { selectedNode, selection } from '../state/screen.ts';
import { freeName } from '../steps/list.ts';
import { running, steps } from '../steps/run.ts';
import '../style/act.css';
import { hasFlag, labelOf, type UiNode } from '../tree/model.ts';
import { Button } from '../widgets/Button.tsx';
import { stateOf } from '../shelf/words.ts';
import { Empty, Words } from '../widgets/Notice.tsx';
import { fullRef } from '../selector/candidates.ts';
import { act, longPressNode, tapNode, type } from './acts.ts';
import { key, keyName, open, typingProblem } from './build.ts';
import { card, performing } from './perform.ts';
import { ResultCard } from './ResultCard.tsx';
import { TextField } from './TextField.tsx';

// What was typed stays here, whatever becomes of an act or of the tree.
const draft = signal('');
const submit = signal(false);
const secretWanted = signal(false);
const place = signal('');
const otherKey = signal('');

const idle = computed(() => selectedReady.value && !performing.value && !running.value);
const MORE_KEYS = ['ENTER', 'DEL', 'TAB', 'ESCAPE', 'SPACE', 'DPAD_UP', 'DPAD_DOWN', 'DPAD_LEFT', 'DPAD_RIGHT', 'DPAD_CENTER', 'MENU',
  'SEARCH', 'VOLUME_UP', 'VOLUME_DOWN', 'VOLUME_MUTE', 'MEDIA_PLAY_PAUSE', 'POWER', 'WAKEUP', 'SLEEP', 'PAGE_UP', 'PAGE_DOWN',
  'NOTIFICATION', 'CAMERA'];

const BUTTON_KEYS = [
  { name: 'back', label: 'Back', key: 'b' },
  { name: 'home', label: 'Home', key: 'h' },
  { name: 'recents', label: 'Recents', key: 'o' },
];

KEYS.push({ place: 'Act', list: [
  { keys: ['t'], what: 'tap the selected node' },
  { keys: ['l'], what: 'press it long' },
  { keys: ['i'], what: 'type into it' },
  ...BUTTON_KEYS.map((button) => ({ keys: [button.key], what: `press ${button.label}` })),
] });

function withNode(action: (node: UiNode) => unknown) {
  if (idle.value && selectedNode.value) action(selectedNode.value);
}

function startTyping() {
  pane.value = 'act';
  // The field may appear by this very key.
  requestAnimationFrame(() => document.getElementById('act-text')?.focus());
}

/** The keys of acts hold on the whole page of the screen: the pane with the buttons may be hidden. */
export function useActKeys() {
  useEffect(() => {
    const ends = [
      bindKey('t', () => withNode(tapNode)),
      bindKey('l', () => withNode(longPressNode)),
      bindKey('i', startTyping),
      ...BUTTON_KEYS.map((button) => bindKey(button.key, () => void (idle.value && act(key(button.name))))),
    ];
    return () => ends.forEach((end) => end());
  }, []);
}

function Target() {
  const node = selectedNode.value;
  const ref = fullRef(selection.value);
  return (
    <div class="target">
      {node
        ? <p class="cut"><span class="muted">Selected: </span><strong><bdi>{labelOf(node)}</bdi></strong> <code class="muted" title={ref ?? undefined}>{ref ? node.ref : 'by its middle'}</code></p>
        : <p class="muted">No node is selected. Select one, or act by pointer on the picture.</p>}
      <div class="row wrap">
        <Button kind="primary" disabled={!node || !idle.value} onClick={() => withNode(tapNode)}>Tap <kbd>t</kbd></Button>
        <Button disabled={!node || !idle.value} onClick={() => withNode(longPressNode)}>Long press <kbd>l</kbd></Button>
      </div>
    </div>
  );
}

async function sendText(node: UiNode | null, secret: boolean) {
  const placeholder = freeName(steps.value, 'SECRET');
  const done = await type(node, draft.value, { submit: submit.value, secret, placeholder });
  // A secret that was typed stands nowhere.
  if (done && secret) draft.value = '';
}

function Typing() {
  const node = selectedNode.value;
  const isPassword = node !== null && hasFlag(node, 'password');
  const secret = isPassword || secretWanted.value;
  const problem = typingProblem(draft.value, node !== null);
  const send = (event: Event) => {
    event.preventDefault();
    if (!problem && idle.value) void sendText(selectedNode.value, secret);
  };
  return (
    <form class="stack" onSubmit={send}>
      <label class="act-label" for="act-text">Type {node ? <>into <bdi>{labelOf(node)}</bdi></> : 'into what has the focus'}</label>
      <div class="row">
        <TextField id="act-text" class="grow" secret={secret} dir="auto" aria-describedby="act-text-hint" value={draft.value}
          onText={(text) => {
            draft.value = text;
          }} />
        <Button type="submit" disabled={problem !== null || !idle.value}>Type</Button>
      </div>
      <p id="act-text-hint" class="small muted" hidden={draft.value === '' || problem === null}>{problem}</p>
      <div class="row wrap">
        <label class="row"><input type="checkbox" checked={submit.value && node !== null} disabled={node === null} onChange={(event) => {
          submit.value = event.currentTarget.checked;
        }} />Enter afterwards</label>
        <label class="row" title="The text is hidden, and kept nowhere"><input type="checkbox" checked={secret} disabled={isPassword} onChange={(event) => {
          secretWanted.value = event.currentTarget.checked;
        }} />Secret</label>
      </div>
    </form>
  );
}

function Keys() {
  const name = keyName(otherKey.value);
  return (
    <form class="stack" onSubmit={(event) => {
      event.preventDefault();
      if (name && idle.value) void act(key(name));
    }}>
      <span class="act-label">Keys</span>
      <div class="row wrap">
        {BUTTON_KEYS.map((button) => (
          <Button key={button.name} disabled={!idle.value} onClick={() => void act(key(button.name))}>{button.label} <kbd>{button.key}</kbd></Button>
        ))}
      </div>
      <div class="row">
        <input class="grow" type="text" list="act-keys" placeholder="ENTER, volume up, 66" aria-label="Another key" spellcheck={false}
          autocomplete="off" value={otherKey.value} onInput={(event) => {
            otherKey.value = event.currentTarget.value;
          }} />
        <datalist id="act-keys">{MORE_KEYS.map((each) => <option key={each} value={each} />)}</datalist>
        <Button type="submit" disabled={!name || !idle.value}>Press</Button>
      </div>
    </form>
  );
}

function Opening() {
  const deed = open(place.value);
  return (
    <form class="stack" onSubmit={(event) => {
      event.preventDefault();
      if (deed && idle.value) void act(deed);
    }}>
      <label class="act-label" for="act-place">Open an app or an address</label>
      <div class="row">
        <input id="act-place" class="grow" type="text" placeholder="chrome, com.app, https://…" spellcheck={false} autocomplete="off"
          value={place.value} onInput={(event) => {
            place.value = event.currentTarget.value;
          }} />
        <Button type="submit" disabled={!deed || !idle.value}>Open</Button>
      </div>
    </form>
  );
}

export function ActPane() {
  if (!selectedDevice.value)
    return <Empty title={selectedSerial.value ? `${selectedSerial.value} is gone` : 'No device is chosen'}>Choose a device in the list of devices.</Empty>;
  if (!selectedReady.value && !card.value)
    return <Empty title="The device cannot act now">It is {stateOf(selectedDevice.value.state).words}.{' '}
      <Words text={stateOf(selectedDevice.value.state).advice} /></Empty>;
  return (
    <div class="act stack">
      <Target />
      <Typing />
      <Keys />
      <Opening />
      {card.value
        ? <ResultCard card={card.value} />
        : <p class="muted small">What is sent, what came of it and how long it took appears here.</p>}
    </div>
  );
}
