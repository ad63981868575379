/** Agent skills as the server reports them, and what this page changes. Values of keys are never kept. */
import { signal } from '@preact/signals';
import { get, post, toFailure, type Failure } from '../api/client.ts';
import { onEvent, onReload } from '../api/events.ts';
import { session } from '../api/session.ts';
import { report } from '../state/messages.ts';
import type { AgentSkill } from './needs.ts';

export const agentSkills = signal<AgentSkill[] | null>(null);
export const folders = signal<{ workspaceDir: string; managedSkillsDir: string } | null>(null);
export const failure = signal<Failure | null>(null);
/** The skill that a request changes now. */
export const busyKey = signal<string | null>(null);

export interface InstallLog {
  ok: boolean;
  title: string;
  code?: string;
  hint?: string;
  stdout: string;
  stderr: string;
  exit: number | null;
}
/** The log of the last installation of each skill. */
export const logs = signal<Record<string, InstallLog>>({});

export async function loadAgentSkills(): Promise<void> {
  try {
    const { skills, workspaceDir, managedSkillsDir } = await get('/agent-skills/status');
    agentSkills.value = skills as unknown as AgentSkill[];
    folders.value = { workspaceDir, managedSkillsDir };
    failure.value = null;
  } catch (problem) {
    failure.value = toFailure(problem);
  }
}

export interface Change {
  enabled?: boolean;
  apiKey?: string;
  env?: Record<string, string>;
}

// A session that could not be renewed needs the token.
function failureOf(problem: unknown): Failure {
  const found = toFailure(problem);
  if (found.status === 401 || found.code === 'SESSION_REQUIRED') session.value = 'token';
  return found;
}

/** True if the server took the change. */
export async function update(skillKey: string, change: Change, what: string): Promise<boolean> {
  busyKey.value = skillKey;
  try {
    await post('/agent-skills/update', { skillKey, ...change });
    await loadAgentSkills();
    return true;
  } catch (problem) {
    report(what, failureOf(problem));
    return false;
  } finally {
    busyKey.value = null;
  }
}

function textIn(details: Record<string, unknown> | undefined, name: string): string {
  const value = details?.[name];
  return typeof value === 'string' ? value : '';
}

export async function install({ name, skillKey }: AgentSkill, installId: string): Promise<void> {
  busyKey.value = skillKey;
  const keep = (log: InstallLog) => {
    logs.value = { ...logs.value, [skillKey]: log };
  };
  try {
    const answer = await post('/agent-skills/install', { name, installId });
    if ('dryRun' in answer) return;
    keep({ ok: true, title: answer.message, stdout: answer.stdout, stderr: answer.stderr, exit: answer.code });
  } catch (problem) {
    const { code, message, hint, details } = failureOf(problem);
    const exit = typeof details?.code === 'number' ? details.code : null;
    keep({ ok: false, title: message, code, hint, stdout: textIn(details, 'stdout'), stderr: textIn(details, 'stderr'), exit });
  } finally {
    busyKey.value = null;
  }
  await loadAgentSkills();
}

export type Plan = { steps: string[][] } | { download: Record<string, unknown> } | { unavailable: string } | null;

/** What an installation would run. */
export async function planOf(name: string, installId: string): Promise<Plan> {
  try {
    const answer = await post('/agent-skills/install', { name, installId, dryRun: true });
    if (!('dryRun' in answer)) return null;
    if (answer.available === false) return { unavailable: answer.message ?? 'It cannot be installed on this machine.' };
    const plan = answer.plan as Record<string, unknown> | undefined;
    if (Array.isArray(plan?.steps)) return { steps: plan.steps as string[][] };
    return plan ? { download: plan } : null;
  } catch (problem) {
    const { code, message } = failureOf(problem);
    return { unavailable: `${code} ${message}` };
  }
}

export function watchAgentSkills(): () => void {
  const ends = [onEvent('clawperator:agent-skills', () => void loadAgentSkills()), onReload(() => void loadAgentSkills())];
  return () => ends.forEach((end) => end());
}
