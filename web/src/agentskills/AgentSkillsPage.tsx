import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { get, toFailure, type Answer, type Failure } from '../api/client.ts';
import '../style/skills.css';
import { Button } from '../widgets/Button.tsx';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Empty, FailureNotice, Notice } from '../widgets/Notice.tsx';
import { Segments } from '../widgets/Tabs.tsx';
import { InstallDialog } from './InstallDialog.tsx';
import { needRows, shownSkills, stateOf, type AgentSkill, type Show, type Way } from './needs.ts';
import { Secrets } from './Secrets.tsx';
import { agentSkills, busyKey, failure, folders, install, loadAgentSkills, logs, update, watchAgentSkills, type InstallLog } from './state.ts';

const words = signal('');
const show = signal<Show>('all');
const chosen = signal<string | null>(null);
const promptShown = signal(false);

const SHOWS: { id: Show; name: string }[] = [
  { id: 'all', name: 'All' },
  { id: 'ready', name: 'Ready' },
  { id: 'missing', name: 'Missing' },
  { id: 'off', name: 'Off' },
];
const TONES = { ready: 'ok', missing: 'warn', disabled: '', blocked: '' };

function StateBadge({ skill }: { skill: AgentSkill }) {
  const { state, text } = stateOf(skill);
  return <span class={`badge ${TONES[state]}`}>{text}</span>;
}

function SkillList() {
  const all = agentSkills.value;
  if (failure.value)
    return <FailureNotice what="The agent skills cannot be read" failure={failure.value}
      actions={<Button small onClick={() => void loadAgentSkills()}>Try again</Button>} />;
  if (!all) return <p class="row muted" role="status"><span class="spinner" /> Loading…</p>;
  if (all.length === 0)
    return <Empty title="There are no agent skills">A folder with a SKILL.md below <code>{folders.value?.workspaceDir}/skills</code> is
      one; it appears here by itself.</Empty>;
  const list = shownSkills(all, words.value, show.value);
  if (list.length === 0)
    return <Empty title="No agent skill matches" actions={<Button small onClick={() => {
      words.value = '';
      show.value = 'all';
    }}>Show all</Button>} />;
  return (
    <ul class="choices" aria-label="Agent skills">
      {list.map((skill) => (
        <li key={skill.skillKey}>
          <button type="button" class="choice" aria-pressed={!promptShown.value && skill.skillKey === chosen.value} onClick={() => {
            chosen.value = skill.skillKey;
            promptShown.value = false;
          }}>
            <span class="row"><strong class="grow"><bdi>{skill.emoji && `${skill.emoji} `}{skill.name}</bdi></strong><StateBadge skill={skill} /></span>
            <span class="small"><bdi>{skill.description}</bdi></span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Needs({ skill }: { skill: AgentSkill }) {
  const rows = needRows(skill);
  if (rows.length === 0) return <p class="muted">It needs nothing.</p>;
  return (
    <dl class="needs">
      {rows.map((row) => (
        <div key={row.kind}>
          <dt class="muted">{row.label}</dt>
          <dd>{row.names.map(({ name, missing }) => (
            <span key={name} class={`badge ${missing ? 'bad' : 'ok'}`}>{!missing ? '✓ ' : row.kind === 'os' ? 'only on ' : 'missing: '}<code>{name}</code></span>
          ))}</dd>
        </div>
      ))}
    </dl>
  );
}

function Log({ log }: { log: InstallLog }) {
  const text = [log.stdout, log.stderr].filter(Boolean).join('\n');
  return (
    <div class="stack">
      <Notice tone={log.ok ? 'ok' : 'bad'} title={log.ok ? 'Installed' : 'The installation failed'}>
        {(log.code || log.title !== 'Installed') && <span>{log.code && <span class="code">{log.code} </span>}<bdi>{log.title}</bdi></span>}
        {log.hint && <span class="hint">{log.hint}</span>}
        {log.exit !== null && <span class="small">exit code {log.exit}</span>}
      </Notice>
      {text && <pre class="output" tabIndex={0} role="log" aria-label="Log of the installation">{text}</pre>}
    </div>
  );
}

function Installs({ skill }: { skill: AgentSkill }) {
  const [way, setWay] = useState<Way | null>(null);
  const log = logs.value[skill.skillKey];
  if (skill.install.length === 0 && !log) return null;
  const busy = busyKey.value === skill.skillKey;
  return (
    <div class="part">
      <h3>Install what is missing</h3>
      <ul class="ways">
        {skill.install.map((each) => (
          <li key={each.id}>
            <span><bdi>{each.label}</bdi> <span class="small muted">by {each.kind}, gives {each.bins.join(', ')}</span></span>
            <Button disabled={busyKey.value !== null} onClick={() => setWay(each)}>Install…</Button>
          </li>
        ))}
      </ul>
      {busy && <p class="row muted" role="status"><span class="spinner" /> The server works…</p>}
      {log && <Log log={log} />}
      {way && <InstallDialog skill={skill} way={way} onClose={() => setWay(null)} onInstall={() => {
        setWay(null);
        void install(skill, way.id);
      }} />}
    </div>
  );
}

function webAddress(text: string | undefined): string | null {
  return text && /^https?:\/\//.test(text) ? text : null;
}

function Details({ skill }: { skill: AgentSkill }) {
  const home = webAddress(skill.homepage);
  return (
    <article class="stack details" key={skill.skillKey}>
      <div class="row wrap">
        <h2><bdi>{skill.emoji && `${skill.emoji} `}{skill.name}</bdi></h2>
        <StateBadge skill={skill} />
        <span class="grow" />
        <Button disabled={busyKey.value !== null} onClick={() =>
          void update(skill.skillKey, { enabled: skill.disabled }, `${skill.name} was not changed`)}>
          {skill.disabled ? 'Enable' : 'Disable'}</Button>
      </div>
      <p><bdi>{skill.description}</bdi></p>
      <dl class="pairs">
        <div><dt>Source</dt><dd>{skill.source}</dd></div>
        <div><dt>File</dt><dd><bdi>{skill.filePath}</bdi></dd></div>
        {home && <div><dt>Home page</dt><dd><a href={home} rel="noreferrer noopener" target="_blank">{home}</a></dd></div>}
      </dl>
      <div class="part"><h3>Needs</h3><Needs skill={skill} /></div>
      <Installs key={skill.skillKey} skill={skill} />
      <Secrets key={`s${skill.skillKey}`} skill={skill} />
    </article>
  );
}

type Prompt = Answer<'/agent-skills/prompt', 'get'>;

function PromptPreview() {
  const [prompt, setPrompt] = useState<Prompt | Failure | null>(null);
  useEffect(() => {
    let gone = false;
    get('/agent-skills/prompt').then((answer) => !gone && setPrompt(answer), (problem) => !gone && setPrompt(toFailure(problem)));
    return () => {
      gone = true;
    };
  }, [agentSkills.value]);
  if (!prompt) return <p class="row muted" role="status"><span class="spinner" /> Loading…</p>;
  if ('code' in prompt) return <FailureNotice what="No preview" failure={prompt as Failure} />;
  const { prompt: text, skills, leftOut } = prompt as Prompt;
  return (
    <article class="stack details">
      <h2>What a model reads</h2>
      <p class="muted">{skills} {skills === 1 ? 'skill' : 'skills'}, {text.length} characters. It stands in the model’s system prompt.</p>
      {leftOut > 0 && <Notice tone="warn">The limits of the configuration leave {leftOut} out.</Notice>}
      {text.trim() ? <CodeBlock text={text} /> : <Empty title="The prompt is empty">No skill may be used now.</Empty>}
    </article>
  );
}

function Main() {
  if (promptShown.value) return <PromptPreview />;
  const skill = agentSkills.value?.find((each) => each.skillKey === chosen.value);
  if (skill) return <Details skill={skill} />;
  return <Empty title="No agent skill is chosen">An agent skill is a text for a model, with what it needs on this computer. Choose one to
    see what is missing, to switch it on and off, and to set its key.</Empty>;
}

export function AgentSkillsPage() {
  useEffect(() => {
    void loadAgentSkills();
    return watchAgentSkills();
  }, []);
  const open = promptShown.value || chosen.value !== null;
  return (
    <div class={`split ${open ? 'chosen' : ''}`}>
      <section class="split-list stack" aria-label="Agent skills">
        <input type="search" placeholder="Filter by name or description" aria-label="Filter agent skills" value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }} />
        <div class="row wrap">
          <Segments label="Which are shown" choices={SHOWS} selected={show.value} onSelect={(id) => {
            show.value = id;
          }} />
          <Button small pressed={promptShown.value} onClick={() => {
            promptShown.value = !promptShown.value;
          }}>Prompt preview</Button>
        </div>
        <SkillList />
      </section>
      <section class="split-main" aria-label="Details">
        {open && <Button class="split-back" small kind="quiet" onClick={() => {
          chosen.value = null;
          promptShown.value = false;
        }}>← All agent skills</Button>}
        <Main />
      </section>
    </div>
  );
}
