import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { get, post, toFailure, type Failure } from '../api/client.ts';
import { devices, selectedSerial } from '../state/devices.ts';
import '../style/skills.css';
import { Button } from '../widgets/Button.tsx';
import { Empty, FailureNotice, Notice } from '../widgets/Notice.tsx';
import { lastRun, runSkill, skillRuns } from './run.ts';
import { RunResult } from './RunResult.tsx';
import { splitWords } from './words.ts';

interface Skill {
  id: string;
  applicationId?: string;
  intent?: string;
  summary?: string;
  skillFile?: string;
  scripts?: string[];
  artifacts?: string[];
  keywords?: string[];
}

const keyword = signal('');
const skills = signal<Skill[] | null>(null);
const failure = signal<Failure | null>(null);
const chosenId = signal<string | null>(null);
// What a person filled in stays while other pages are shown.
const argsLine = signal('');
const timeLimit = signal('');
const expected = signal('');
const deviceChoice = signal<string | null>(null);

let turn = 0;
async function search() {
  const mine = ++turn;
  try {
    const answer = await get('/skills', { query: { keyword: keyword.value.trim() || undefined } });
    if (mine !== turn) return;
    skills.value = answer.skills as Skill[];
    failure.value = null;
  } catch (problem) {
    if (mine === turn) failure.value = toFailure(problem);
  }
}

function choose(id: string | null) {
  if (id !== chosenId.value) argsLine.value = '';
  chosenId.value = id;
}

function SkillList() {
  const list = skills.value;
  if (failure.value)
    return <FailureNotice what="No skills" failure={failure.value} actions={<Button small onClick={() => void search()}>Try again</Button>} />;
  if (!list) return <p class="row muted" role="status"><span class="spinner" /> Loading…</p>;
  if (list.length === 0)
    return keyword.value.trim()
      ? <Empty title="No skill matches">Use other words, or clear the search.</Empty>
      : <Empty title="The registry has no skills"><code>clawperator skills new ID</code> writes one.</Empty>;
  return (
    <ul class="choices" aria-label="Skills">
      {list.map((skill) => (
        <li key={skill.id}>
          <button type="button" class="choice" aria-pressed={skill.id === chosenId.value} onClick={() => choose(skill.id)}>
            <strong>{skill.intent ?? skill.id}</strong>
            <span class="small muted">{skill.applicationId}</span>
            <span class="small"><bdi>{skill.summary}</bdi></span>
          </button>
        </li>
      ))}
    </ul>
  );
}

type Verdict = { valid: boolean; checks: Record<string, unknown> } | { failure: Failure };

function Validation({ id }: { id: string }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => setVerdict(null), [id]);
  const validate = async () => {
    setBusy(true);
    try {
      const answer = await post('/skills/{skillId}/validate', {}, { path: { skillId: id } });
      setVerdict({ valid: answer.valid, checks: (answer.checks ?? {}) as Record<string, unknown> });
    } catch (problem) {
      setVerdict({ failure: toFailure(problem) });
    }
    setBusy(false);
  };
  const files = verdict && 'checks' in verdict ? Object.values(verdict.checks).flat().filter((each) => typeof each === 'string') : [];
  return (
    <div class="stack">
      <div class="row"><Button disabled={busy} onClick={() => void validate()}>{busy ? 'Checking…' : 'Validate'}</Button></div>
      {verdict && 'failure' in verdict && <FailureNotice what="The skill is not in order" failure={verdict.failure} />}
      {verdict && 'valid' in verdict && (
        <Notice tone={verdict.valid ? 'ok' : 'bad'} title={verdict.valid ? 'The skill is in order' : 'The skill is not in order'}>
          {files.length > 0 && <details><summary>{files.length} files were checked</summary><ul class="paths">
            {files.map((file) => <li key={String(file)}><code>{String(file)}</code></li>)}
          </ul></details>}
        </Notice>
      )}
    </div>
  );
}

function Arguments() {
  const split = splitWords(argsLine.value);
  return (
    <div class="stack">
      <label class="stack">
        <span>Arguments, as on a command line</span>
        <input type="text" class="mono" spellcheck={false} autocomplete="off" placeholder={'--row "Display & touch"'} value={argsLine.value}
          aria-invalid={'problem' in split} aria-describedby="skill-words" onInput={(event) => {
            argsLine.value = event.currentTarget.value;
          }} />
      </label>
      <p id="skill-words" class="words small" hidden={!argsLine.value.trim()}>
        {'problem' in split
          ? <span class="bad-text">{split.problem}</span>
          : split.words.length > 0 && split.words.map((word, at) => <code key={at}>{word === '' ? '(empty)' : word}</code>)}
      </p>
    </div>
  );
}

function limitProblem(text: string): string | null {
  if (text.trim() === '') return null;
  return /^\d{1,7}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 3600000 ? null : 'A time limit is 1 to 3600000 ms.';
}

function DeviceSelect() {
  const list = devices.value ?? [];
  const serial = deviceChoice.value ?? selectedSerial.value ?? '';
  return (
    <label class="stack"><span>Device</span>
      <select value={serial} onChange={(event) => {
        deviceChoice.value = event.currentTarget.value;
      }}>
        {!list.some((row) => row.serial === serial) && <option value={serial}>{serial || 'the only device'}</option>}
        {list.map((row) => <option key={row.serial} value={row.serial}>{row.model ? `${row.model} · ${row.serial}` : row.serial}</option>)}
      </select>
    </label>
  );
}

function RunForm({ id }: { id: string }) {
  const split = splitWords(argsLine.value);
  const problem = limitProblem(timeLimit.value);
  const start = (event: Event) => {
    event.preventDefault();
    if ('problem' in split || problem) return;
    const serial = deviceChoice.value ?? selectedSerial.value;
    void runSkill(id, {
      ...(serial && { deviceId: serial }),
      ...(split.words.length > 0 && { args: split.words }),
      ...(timeLimit.value.trim() && { timeoutMs: Number(timeLimit.value) }),
      ...(expected.value && { expectContains: expected.value }),
    });
  };
  return (
    <form class="stack run-form" onSubmit={start}>
      <h3>Run</h3>
      <Arguments />
      <div class="fields">
        <DeviceSelect />
        <label class="stack"><span>Time limit, ms</span>
          <input type="text" inputMode="numeric" placeholder="120000" value={timeLimit.value} aria-invalid={problem !== null}
            onInput={(event) => {
              timeLimit.value = event.currentTarget.value;
            }} />
        </label>
        <label class="stack"><span>Output must contain</span>
          <input type="text" spellcheck={false} value={expected.value} onInput={(event) => {
            expected.value = event.currentTarget.value;
          }} />
        </label>
      </div>
      {problem && <p class="bad-text small">{problem}</p>}
      <div class="row">
        <Button kind="primary" type="submit" disabled={skillRuns.value || 'problem' in split || problem !== null}>
          {skillRuns.value ? 'Running…' : 'Run'}</Button>
        <span class="small muted">The script runs on the computer of the server.</span>
      </div>
    </form>
  );
}

/** The entry as the registry has it now: a search may be older. */
function useSkill(id: string): Skill | Failure | null {
  const [skill, setSkill] = useState<Skill | Failure | null>(null);
  useEffect(() => {
    let gone = false;
    setSkill(skills.peek()?.find((each) => each.id === id) ?? null);
    get('/skills/{skillId}', { path: { skillId: id } }).then(
      (answer) => !gone && setSkill(answer.skill as Skill),
      (problem) => !gone && setSkill(toFailure(problem)),
    );
    return () => {
      gone = true;
    };
  }, [id]);
  return skill;
}

function Facts({ skill }: { skill: Skill }) {
  const rows: [string, string[]][] = [
    ['Id', [skill.id]],
    ['App', [skill.applicationId ?? '']],
    ['Keywords', [(skill.keywords ?? []).join(', ')]],
    ['Text', [skill.skillFile ?? '']],
    ['Scripts', skill.scripts ?? []],
    ['Artifacts', skill.artifacts ?? []],
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, values]) => values.some(Boolean) && (
        <div key={name}><dt>{name}</dt><dd>{values.map((value) => <div key={value}><bdi>{value}</bdi></div>)}</dd></div>
      ))}
    </dl>
  );
}

function Details({ id }: { id: string }) {
  const skill = useSkill(id);
  const run = lastRun.value;
  if (skill && 'code' in skill) return <FailureNotice what="The skill cannot be read" failure={skill as Failure} />;
  if (!skill) return <p class="row muted" role="status"><span class="spinner" /> Loading…</p>;
  const entry = skill as Skill;
  return (
    <article class="stack details" key={id}>
      <h2>{entry.id}</h2>
      <p><bdi>{entry.summary}</bdi></p>
      <Facts skill={entry} />
      <Validation id={id} />
      <RunForm id={id} />
      {run?.skillId === id && <RunResult run={run} />}
    </article>
  );
}

export function SkillsPage() {
  useEffect(() => {
    const timer = window.setTimeout(() => void search(), skills.peek() ? 200 : 0);
    return () => window.clearTimeout(timer);
  }, [keyword.value]);
  return (
    <div class={`split ${chosenId.value ? 'chosen' : ''}`}>
      <section class="split-list stack" aria-label="Skills of the registry">
        <input type="search" placeholder="Search skills" aria-label="Search skills" value={keyword.value} onInput={(event) => {
          keyword.value = event.currentTarget.value;
        }} />
        <SkillList />
      </section>
      <section class="split-main" aria-label="The chosen skill">
        {chosenId.value
          ? <>
              <Button class="split-back" small kind="quiet" onClick={() => choose(null)}>← All skills</Button>
              <Details id={chosenId.value} />
            </>
          : <Empty title="No skill is chosen">A skill automates one app, and proves its answer. Choose one to read about it, validate
              it and run it.</Empty>}
      </section>
    </div>
  );
}
