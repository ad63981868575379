import { useState } from 'preact/hooks';
import { describe } from '../act/build.ts';
import { tree } from '../state/screen.ts';
import { Button } from '../widgets/Button.tsx';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { Notice } from '../widgets/Notice.tsx';
import { Segments } from '../widgets/Tabs.tsx';
import { asExecution, asList, asRecipe, type Kind, type Saved } from './files.ts';
import { placeholders, secretPlaceholders } from './list.ts';
import { steps, values } from './run.ts';

const KINDS: { id: Kind; name: string }[] = [
  { id: 'execution', name: 'Execution' },
  { id: 'recipe', name: 'Skill recipe' },
  { id: 'list', name: 'List of steps' },
];

const WHAT: Record<Kind, string> = {
  execution: 'For clawperator exec, and as the execution of POST /execute. Values are filled in.',
  recipe: 'An artifact of a skill: values stay as {{NAME}}.',
  list: 'Everything, with touches and keys that an execution cannot have. For this page.',
};

function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}

function download({ name, text }: Saved) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// An execution with a secret in it would be a file with a secret.
function shownValues() {
  const secrets = secretPlaceholders(steps.value);
  return Object.fromEntries(Object.entries(values.value).filter(([name]) => !secrets.includes(name)));
}

function saved(kind: Kind, name: string, skill: string): Saved {
  if (kind === 'execution') return asExecution(steps.value, shownValues(), name);
  return kind === 'recipe' ? asRecipe(steps.value, name, skill) : asList(steps.value, name);
}

function RecipeHelp({ skill, name }: { skill: string; name: string }) {
  const names = placeholders(steps.value);
  const vars = JSON.stringify(Object.fromEntries(names.map((each) => [each, '…'])));
  return (
    <p class="muted small">
      Save it as <code>skills/{skill}/artifacts/{name}.recipe.json</code>, and name it in <code>artifacts</code> of the skill’s
      entry and of its skill.json. <code>clawperator skills compile-artifact {skill} --artifact {name}{names.length > 0 && ` --vars '${vars}'`}</code> makes
      an execution of it.
    </p>
  );
}

function Warnings({ file, kind }: { file: Saved; kind: Kind }) {
  return (
    <>
      {file.left.length > 0 && (
        <Notice tone="warn" title={`Left out: ${file.left.length} of ${steps.value.length} steps`}>
          {kind === 'execution' ? 'An execution' : 'A recipe'} has up to 50 actions, and no touches or keys of the phone’s own
          input: <bdi>{file.left.slice(0, 5).map((step) => describe(step.what)).join('; ')}{file.left.length > 5 && '; …'}</bdi>
        </Notice>
      )}
      {file.missing.length > 0 && (
        <Notice tone="warn" title="Values are missing">These stay in the file as they are: {file.missing.join(', ')}. A secret is
          never written.</Notice>
      )}
    </>
  );
}

export function SaveDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('execution');
  const [name, setName] = useState('steps');
  const [skill, setSkill] = useState(`${tree.value?.package || 'com.example.app'}.my-skill`);
  const valid = isName(name) && (kind !== 'recipe' || isName(skill));
  const file = saved(kind, name, skill);
  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button kind="primary" disabled={!valid} onClick={() => download(file)}>Download</Button>
    </>
  );
  return (
    <Dialog title="Save the steps" onClose={onClose} footer={footer}>
      <div class="stack">
        <div class="row"><Segments label="Kind of file" choices={KINDS} selected={kind} onSelect={setKind} /></div>
        <p class="muted">{WHAT[kind]}</p>
        <label class="stack"><span>Name</span>
          <input type="text" class="mono" value={name} aria-invalid={!isName(name)} spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {kind === 'recipe' && (
          <label class="stack"><span>Id of the skill</span>
            <input type="text" class="mono" value={skill} aria-invalid={!isName(skill)} spellcheck={false}
              onInput={(event) => setSkill(event.currentTarget.value)} />
          </label>
        )}
        {!valid && <Notice tone="bad">A name has letters, digits, dots, dashes and underscores.</Notice>}
        <Warnings file={file} kind={kind} />
        {kind === 'recipe' && valid && <RecipeHelp skill={skill} name={name} />}
        <h3><code>{file.name}</code></h3>
        <CodeBlock text={file.text} />
      </div>
    </Dialog>
  );
}
