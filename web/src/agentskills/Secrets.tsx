import { useState } from 'preact/hooks';
import { inform } from '../state/messages.ts';
import { Button } from '../widgets/Button.tsx';
import { isEnvName, settableEnv, type AgentSkill } from './needs.ts';
import { busyKey, update, type Change } from './state.ts';

interface Props {
  skill: AgentSkill;
  name: string;
  id: string;
  note: string;
  change: (value: string) => Change;
}

/** A value that goes to the server once. The field is empty afterwards, and no answer has the value. */
function SecretRow({ skill, name, id, note, change }: Props) {
  const [value, setValue] = useState('');
  const send = async (event: Event) => {
    event.preventDefault();
    if (!value || busyKey.value) return;
    if (!(await update(skill.skillKey, change(value), `${name} was not saved`))) return;
    setValue('');
    inform(`${name} is saved. It is not shown again.`, 'ok');
  };
  return (
    <form class="key-row" onSubmit={send}>
      <label for={id}><code>{name}</code>{note && <span class="small muted"> {note}</span>}</label>
      <input id={id} type="password" autocomplete="off" spellcheck={false} placeholder="new value" value={value}
        onInput={(event) => setValue(event.currentTarget.value)} />
      <Button type="submit" disabled={!value || busyKey.value !== null}>Save</Button>
    </form>
  );
}

function NewVariable({ onAdd }: { onAdd: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form class="row wrap" onSubmit={(event) => {
      event.preventDefault();
      if (!isEnvName(name)) return;
      onAdd(name);
      setName('');
    }}>
      <input type="text" class="mono" placeholder="ANOTHER_VARIABLE" aria-label="Name of another variable" spellcheck={false} autocomplete="off"
        value={name} onInput={(event) => setName(event.currentTarget.value.trim())} />
      <Button type="submit" disabled={!isEnvName(name)}>Add</Button>
    </form>
  );
}

/** The key and the variables of one skill. */
export function Secrets({ skill }: { skill: AgentSkill }) {
  const [added, setAdded] = useState<string[]>([]);
  const names = [...new Set([...settableEnv(skill), ...added])];
  const noteOf = (name: string) => ((skill.missing.env ?? []).includes(name) ? 'missing' : '');
  return (
    <div class="part">
      <h3>Key and variables</h3>
      <p class="small muted">They go into the configuration of the server’s user. No page, answer or log shows them.</p>
      {skill.primaryEnv && <SecretRow key="key" skill={skill} name={skill.primaryEnv} id={`key-${skill.skillKey}`}
        note={noteOf(skill.primaryEnv) || 'API key'} change={(apiKey) => ({ apiKey })} />}
      {names.map((name) => <SecretRow key={name} skill={skill} name={name} id={`env-${skill.skillKey}-${name}`} note={noteOf(name)}
        change={(value) => ({ env: { [name]: value } })} />)}
      <NewVariable onAdd={(name) => setAdded([...added, name])} />
    </div>
  );
}
