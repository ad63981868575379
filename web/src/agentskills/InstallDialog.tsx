import { useEffect, useState } from 'preact/hooks';
import { jsonText, shellWord } from '../selector/quote.ts';
import { Button } from '../widgets/Button.tsx';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { Notice } from '../widgets/Notice.tsx';
import type { AgentSkill, Way } from './needs.ts';
import { planOf, type Plan } from './state.ts';

function commandLines(steps: string[][]): string {
  return steps.map((words) => words.map(shellWord).join(' ')).join('\n');
}

function PlanView({ plan, skill, way }: { plan: Plan; skill: AgentSkill; way: Way }) {
  if (plan && 'steps' in plan) return <><p>The server runs this command, without a shell:</p><CodeBlock text={commandLines(plan.steps)} /></>;
  if (plan && 'download' in plan) return <><p>The server downloads and unpacks this:</p><CodeBlock text={jsonText(plan.download, 2)} /></>;
  if (plan) return <Notice tone="warn" title="It cannot be installed here">{plan.unavailable}</Notice>;
  return (
    <>
      <p>The server installs by <strong>{way.kind}</strong>, what this command does:</p>
      <CodeBlock text={`clawperator agent-skills install ${shellWord(skill.name)} ${shellWord(way.id)}`} />
    </>
  );
}

/** Names what runs, before it runs. */
export function InstallDialog({ skill, way, onClose, onInstall }:
  { skill: AgentSkill; way: Way; onClose: () => void; onInstall: () => void }) {
  const [plan, setPlan] = useState<Plan | 'loading'>('loading');
  useEffect(() => {
    let gone = false;
    void planOf(skill.name, way.id).then((found) => !gone && setPlan(found));
    return () => {
      gone = true;
    };
  }, []);
  const possible = plan !== 'loading' && !(plan && 'unavailable' in plan);
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" disabled={!possible} onClick={onInstall}>Install</Button>
    </>
  );
  return (
    <Dialog title={`Install for ${skill.name}`} onClose={onClose} footer={footer}>
      <div class="stack">
        <p><strong><bdi>{way.label}</bdi></strong>, which gives {way.bins.length === 1 ? 'the program' : 'the programs'}{' '}
          {way.bins.map((bin, at) => <span key={bin}>{at > 0 && ', '}<code>{bin}</code></span>)}</p>
        {plan === 'loading'
          ? <p class="row muted" role="status"><span class="spinner" /> Reading what would run…</p>
          : <PlanView plan={plan} skill={skill} way={way} />}
        <p class="muted small">It runs on the computer of the server, with the rights of its user. The skill’s author chose it:{' '}
          <code class="path">{skill.filePath}</code></p>
      </div>
    </Dialog>
  );
}
