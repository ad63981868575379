import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { toFailure, type Failure } from '../api/client.ts';
import { tokenRequired } from '../api/session.ts';
import { selectedReady, selectedSerial } from '../state/devices.ts';
import { selectedNode, selection, tree, treeFailure } from '../state/screen.ts';
import '../style/selector.css';
import { boundsText, labelOf, shownFact, type RawNode } from '../tree/model.ts';
import { Button } from '../widgets/Button.tsx';
import { CodeBlock, copyText } from '../widgets/CodeBlock.tsx';
import { Empty, FailureNotice, Notice } from '../widgets/Notice.tsx';
import { Segments } from '../widgets/Tabs.tsx';
import { candidatesOf, fullRef, type Candidate } from './candidates.ts';
import { forms, type Form, type Matcher, type Purpose } from './forms.ts';

const PURPOSES: { id: Purpose; name: string }[] = [
  { id: 'click', name: 'Tap' },
  { id: 'long_press', name: 'Long press' },
  { id: 'enter_text', name: 'Type' },
  { id: 'read_text', name: 'Read' },
  { id: 'wait_for_node', name: 'Wait' },
];

const purpose = signal<Purpose>('click');
const strict = signal(false);
const open = signal<Form['id'] | null>('flags');

function Facts({ node }: { node: RawNode }) {
  const rows: [string, string | undefined][] = [
    ['Text', node.text],
    ['Id', node.id],
    ['Description', node.desc === node.text ? undefined : node.desc],
    ['Role', node.role],
    ['Class', node.class],
    ['States', node.flags?.join(', ')],
    ['Bounds', boundsText(node)],
    ['Ref', fullRef(node.ref) ?? undefined],
  ];
  return (
    <table class="node-facts">
      <caption class="unseen">Facts of the selected node</caption>
      <tbody>
        {rows.map(([name, value]) => value !== undefined && value !== '' && (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td dir={name === 'Text' || name === 'Description' ? 'auto' : 'ltr'}>{shownFact(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function matchesText(matches: number): string {
  return matches === 1 ? '1 match' : `${matches} matches`;
}

const FIELD_NAMES: Record<string, string> = {
  resourceId: 'id', textEquals: 'text', textContains: 'text contains', contentDescEquals: 'description',
  contentDescContains: 'description contains', role: 'role',
};

function MatcherText({ matcher }: { matcher: Matcher }) {
  return (
    <>
      {Object.entries(matcher).map(([field, value]) => (
        <span key={field} class="field"><span class="muted small">{FIELD_NAMES[field] ?? field}</span> <code dir="auto">{value}</code></span>
      ))}
    </>
  );
}

function CandidateList({ list, chosen, onChoose }: { list: Candidate[]; chosen: number; onChoose: (at: number) => void }) {
  return (
    <fieldset class="candidates">
      <legend>Selectors, best first</legend>
      {list.map((candidate, at) => (
        <label key={at} class="candidate">
          <input type="radio" name="candidate" checked={at === chosen} onChange={() => onChoose(at)} />
          <span class="grow"><MatcherText matcher={candidate.matcher} /></span>
          <span class={`badge ${candidate.matches === 1 ? 'ok' : 'warn'}`}>{matchesText(candidate.matches)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function FormRow({ form }: { form: Form }) {
  const [copied, setCopied] = useState(false);
  const shown = open.value === form.id;
  const copy = async () => {
    if (!(await copyText(form.text))) return;
    setCopied(true);
    window.setTimeout(() => setCopied(false), 1500);
  };
  return (
    <li class="form">
      <div class="row">
        <button type="button" class="button quiet small form-name" aria-expanded={shown} onClick={() => {
          open.value = shown ? null : form.id;
        }}>{form.label}</button>
        {!shown && <code class="grow cut" dir="ltr">{form.text}</code>}
        {shown && <span class="grow" />}
        {!shown && (
          <Button small aria-label={`Copy as ${form.label}`} onClick={copy}>
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </Button>
        )}
      </div>
      {shown && <CodeBlock text={form.text} />}
    </li>
  );
}

function CodeForms({ candidate, serial }: { candidate: Candidate; serial: string }) {
  const wish = { matcher: candidate.matcher, purpose: purpose.value, strict: strict.value };
  const place = { serial, origin: location.origin, tokenRequired: tokenRequired.value };
  return (
    <div class="stack">
      <div class="row wrap">
        <Segments label="What the code does" choices={PURPOSES} selected={purpose.value} onSelect={(id) => {
          purpose.value = id;
        }} />
        <label class="row" title="The step fails if several nodes match. Needs Operator 0.10.">
          <input type="checkbox" checked={strict.value} onChange={(event) => {
            strict.value = event.currentTarget.checked;
          }} />
          strict: exactly one match
        </label>
      </div>
      {candidate.matches > 1 && !strict.value && (
        <Notice tone="warn">{candidate.matches} nodes match; the first of them is taken. With “strict” the step fails instead.</Notice>
      )}
      <ul class="forms">{forms(wish, place).map((form) => <FormRow key={form.id} form={form} />)}</ul>
    </div>
  );
}

type Found = { list: Candidate[] } | { failure: Failure } | null;

/** Candidates of `ref`; null while they are fetched. */
function useCandidates(serial: string | null, ref: string | null): [Found, () => void] {
  const [found, setFound] = useState<Found>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    setFound(null);
    if (!serial || !ref) return;
    candidatesOf(serial, ref).then(
      (list) => !gone && setFound({ list }),
      (problem) => !gone && setFound({ failure: toFailure(problem) }),
    );
    return () => {
      gone = true;
    };
  }, [serial, ref, turn]);
  return [found, () => setTurn(turn + 1)];
}

function Candidates({ serial, found, again }: { serial: string; found: Found; again: () => void }) {
  const [chosen, setChosen] = useState(0);
  useEffect(() => setChosen(0), [found]);
  if (!found) return <p class="row muted" role="status"><span class="spinner" /> Looking for selectors…</p>;
  if ('failure' in found)
    return <FailureNotice what="No selectors" failure={found.failure} actions={<Button small onClick={again}>Try again</Button>} />;
  const candidate = found.list[chosen] ?? found.list[0];
  if (!candidate)
    return <Notice tone="warn" title="No selector names this node">It has no id, no role of its own, and no text or description of up
      to 512 characters. Select the node around it, or act by its ref.</Notice>;
  return (
    <>
      <CandidateList list={found.list} chosen={found.list.indexOf(candidate)} onChoose={setChosen} />
      <CodeForms candidate={candidate} serial={serial} />
    </>
  );
}

export function SelectorPane() {
  const serial = selectedSerial.value;
  const node = selectedNode.value;
  const ref = fullRef(selection.value);
  const [found, again] = useCandidates(serial, ref);
  if (!serial || !tree.value)
    return <Empty title="No screen yet">{!selectedReady.value ? 'Choose a device that is ready; its tree is read then.'
      : treeFailure.value ? 'The tree could not be read.' : 'The tree is not read yet.'}</Empty>;
  if (!node)
    return <Empty title="No node is selected">Click a node in the picture or in the tree: its facts, its selectors and their
      code appear here.</Empty>;
  return (
    <div class="selector stack">
      <h2 class="cut" dir="auto">{labelOf(node)}</h2>
      <Facts node={node} />
      {ref
        ? <Candidates serial={serial} found={found} again={again} />
        : <Notice title="Only in the full tree">This node is a part of the layout, which no selector and no ref names. Select
          a node of the compact tree.</Notice>}
    </div>
  );
}
