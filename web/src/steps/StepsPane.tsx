import { useEffect, useRef, useState } from 'preact/hooks';
import { describe } from '../act/build.ts';
import { performing, type Card } from '../act/perform.ts';
import { milliseconds } from '../act/phases.ts';
import { ResultCard } from '../act/ResultCard.tsx';
import { TextField } from '../act/TextField.tsx';
import { jsonText } from '../selector/quote.ts';
import { selectedReady } from '../state/devices.ts';
import { inform } from '../state/messages.ts';
import '../style/steps.css';
import { Button } from '../widgets/Button.tsx';
import { Empty, Notice } from '../widgets/Notice.tsx';
import { readFile } from './files.ts';
import { added, deedJson, freeName, moved, placeholders, readDeedText, removed, replaced, secretPlaceholders, withValue, type Step }
  from './list.ts';
import { cards, change, missingValues, newKey, run, running, runningKey, steps, stopRun, undo, values } from './run.ts';
import { SaveDialog } from './SaveDialog.tsx';

const LONGEST_FILE = 1 << 20;

function Mark({ step, card }: { step: Step; card: Card | undefined }) {
  if (runningKey.value === step.key || (card && !card.outcome)) return <span class="badge"><span class="spinner" /> running</span>;
  if (!card?.outcome) return null;
  if (card.outcome.state === 'failed') return <span class="badge bad">{card.outcome.code ?? 'failed'}</span>;
  const { effect } = card.outcome;
  return <span class={`badge ${effect === 'changed' || effect === undefined ? 'ok' : 'warn'}`}>{effect ?? 'done'} · {milliseconds(card.totalMs)}</span>;
}

function Editor({ step, onDone }: { step: Step; onDone: () => void }) {
  const [text, setText] = useState(() => jsonText(deedJson(step.what), 2));
  const [problem, setProblem] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const save = (event: Event) => {
    event.preventDefault();
    const read = readDeedText(text);
    if (typeof read === 'string') return setProblem(read);
    change(replaced(steps.value, step.key, read));
    onDone();
  };
  return (
    <form class="stack" onSubmit={save}>
      <label class="stack">
        <span class="muted small">The action as JSON. <code>{'{{NAME}}'}</code> in a text is a value that you give before each run.</span>
        <textarea ref={area} class="mono" rows={Math.min(14, text.split('\n').length + 1)} spellcheck={false} value={text}
          aria-invalid={problem !== ''} onInput={(event) => {
            setText(event.currentTarget.value);
            setProblem('');
          }} />
      </label>
      {problem && <Notice tone="bad" title="This is no step">{problem}</Notice>}
      <div class="row">
        <Button small kind="primary" type="submit">Keep</Button>
        <Button small onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function makeValue(step: Step) {
  const name = freeName(steps.value, 'TEXT');
  const made = withValue(step, name);
  if (!made) return;
  values.value = { ...values.value, [name]: made.text };
  change(steps.value.map((each) => (each.key === step.key ? made.step : each)));
}

function hasOwnText({ what, literal }: Step): boolean {
  if (!('action' in what) || typeof what.action.params.text !== 'string' || what.action.params.secret === true) return false;
  return literal || placeholders([{ key: '', what, literal }]).length === 0;
}

function StepRow({ step, at, last }: { step: Step; at: number; last: boolean }) {
  const [shown, setShown] = useState<'edit' | 'result' | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const focusAfter = useRef<string | null>(null);
  // A row that moves in the document loses the focus.
  useEffect(() => {
    if (focusAfter.current === null) return;
    const label = focusAfter.current;
    focusAfter.current = null;
    const button = row.current?.querySelector<HTMLElement>(`[data-name="${label}"]:not(:disabled)`);
    (button ?? row.current?.querySelector<HTMLElement>('button:not(:disabled)'))?.focus();
  }, [at]);
  const move = (by: number, name: string) => {
    focusAfter.current = name;
    change(moved(steps.value, step.key, by));
  };
  const card = cards.value.get(step.key);
  const title = describe(step.what);
  const busy = running.value || performing.value;
  const failed = card?.outcome?.state === 'failed';
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? -1 : 1, (event.target as HTMLElement).dataset.name ?? 'up');
  };
  const toggle = (what: 'edit' | 'result') => setShown(shown === what ? null : what);
  return (
    <li ref={row} class={`step ${failed ? 'failed' : ''} ${runningKey.value === step.key ? 'now' : ''}`} onKeyDown={onKeyDown}
      aria-current={runningKey.value === step.key ? 'step' : undefined}>
      <div class="step-head">
        <span class="number">{at + 1}</span>
        <bdi class="grow title">{title}</bdi>
        <Mark step={step} card={card} />
      </div>
      <div class="row wrap step-tools">
        <Button small icon kind="quiet" data-name="up" aria-label={`Move step ${at + 1} up`} title="Up (Alt+↑)" disabled={at === 0 || busy}
          onClick={() => move(-1, 'up')}>↑</Button>
        <Button small icon kind="quiet" data-name="down" aria-label={`Move step ${at + 1} down`} title="Down (Alt+↓)"
          disabled={last || busy} onClick={() => move(1, 'down')}>↓</Button>
        <Button small kind="quiet" data-name="run" disabled={busy || !selectedReady.value || missingValues.value.length > 0}
          aria-label={`From here: step ${at + 1}`} title="Run from this step on" onClick={() => void run(step.key)}>From here</Button>
        <Button small kind="quiet" data-name="edit" aria-expanded={shown === 'edit'} aria-label={`Edit step ${at + 1}`} disabled={busy}
          onClick={() => toggle('edit')}>Edit</Button>
        {hasOwnText(step) && <Button small kind="quiet" data-name="value" disabled={busy} title="Type another text at each run"
          aria-label={`Make a value of the text of step ${at + 1}`} onClick={() => makeValue(step)}>Make a value</Button>}
        {card?.outcome && <Button small kind="quiet" data-name="result" aria-expanded={shown === 'result'}
          aria-label={`Result of step ${at + 1}`} onClick={() => toggle('result')}>Result</Button>}
        <Button small icon kind="quiet" data-name="remove" aria-label={`Remove step ${at + 1}`} title="Remove" disabled={busy}
          onClick={() => change(removed(steps.value, step.key), true)}>×</Button>
      </div>
      {shown === 'edit' && <Editor step={step} onDone={() => setShown(null)} />}
      {(shown === 'result' || (failed && shown === null)) && card && <ResultCard card={card} />}
    </li>
  );
}

function ValueFields() {
  const names = placeholders(steps.value);
  const secrets = secretPlaceholders(steps.value);
  if (names.length === 0) return null;
  return (
    <fieldset class="values">
      <legend>Values</legend>
      {names.map((name) => (
        <label key={name} class="row">
          <code class="cut">{name}</code>
          <TextField class="grow" secret={secrets.includes(name)} value={values.value[name] ?? ''} onText={(text) => {
            values.value = { ...values.value, [name]: text };
          }} />
        </label>
      ))}
      {missingValues.value.length > 0 && <p class="muted small">Every value is needed before the steps run.</p>}
    </fieldset>
  );
}

async function loadFile(input: HTMLInputElement) {
  const file = input.files?.[0];
  input.value = '';
  if (!file) return '';
  if (file.size > LONGEST_FILE) return 'The file is longer than 1 MiB.';
  const read = readFile(await file.text(), newKey);
  if (typeof read === 'string') return read;
  change(added(steps.value, read), true);
  inform(`${read.length} ${read.length === 1 ? 'step' : 'steps'} loaded from ${file.name}`, 'ok');
  return '';
}

function LoadButton({ onProblem }: { onProblem: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input ref={input} class="unseen" type="file" accept=".json,application/json" aria-label="File with steps" tabIndex={-1}
        onChange={(event) => void loadFile(event.currentTarget).then(onProblem)} />
      <Button small onClick={() => input.current?.click()}>Load…</Button>
    </>
  );
}

function Toolbar({ onSave, onProblem }: { onSave: () => void; onProblem: (text: string) => void }) {
  const none = steps.value.length === 0;
  const busy = running.value || performing.value;
  return (
    <div class="row wrap step-bar">
      {running.value
        ? <Button small kind="danger" onClick={stopRun}>Stop</Button>
        : <Button small kind="primary" disabled={none || busy || !selectedReady.value || missingValues.value.length > 0}
            onClick={() => void run()}>Run all</Button>}
      <Button small disabled={none} onClick={onSave}>Save…</Button>
      <LoadButton onProblem={onProblem} />
      <span class="grow" />
      <Button small kind="quiet" disabled={none || busy} onClick={() => change([], true)}>Clear</Button>
    </div>
  );
}

export function StepsPane() {
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const list = steps.value;
  return (
    <div class="steps stack">
      <Toolbar onSave={() => setSaving(true)} onProblem={setProblem} />
      {problem && <Notice tone="bad" title="The file was not loaded" onClose={() => setProblem('')}>{problem}</Notice>}
      {undo.value && (
        <Notice actions={<Button small onClick={() => {
          steps.value = undo.value ?? [];
          undo.value = null;
        }}>Undo</Button>} onClose={() => {
          undo.value = null;
        }}>The list changed.</Notice>
      )}
      <ValueFields />
      {list.length === 0
        ? <Empty title="No steps yet">Each act becomes a step here: tap a node, type, press a key. Or load a file: an execution,
            a recipe, or a saved list.</Empty>
        : <ol class="step-list">
            {list.map((step, at) => <StepRow key={step.key} step={step} at={at} last={at === list.length - 1} />)}
          </ol>}
      {saving && <SaveDialog onClose={() => setSaving(false)} />}
    </div>
  );
}
