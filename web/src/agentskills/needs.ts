/** What an agent skill needs, and what of it is missing, as rows. */

export interface Needs {
  bins: string[];
  anyBins: string[];
  env: string[];
  config: string[];
  os: string[];
}

export interface Way {
  id: string;
  kind: string;
  label: string;
  bins: string[];
}

export interface AgentSkill {
  name: string;
  description: string;
  source: string;
  filePath: string;
  skillKey: string;
  eligible: boolean;
  disabled: boolean;
  always: boolean;
  blockedByAllowlist: boolean;
  blockedByAgentFilter?: boolean;
  primaryEnv?: string;
  homepage?: string;
  emoji?: string;
  requirements: Needs;
  missing: Needs;
  install: Way[];
}

export interface NeedRow {
  kind: keyof Needs;
  label: string;
  names: Array<{ name: string; missing: boolean }>;
}

const LABELS: Record<keyof Needs, string> = {
  bins: 'Programs',
  anyBins: 'One of these programs',
  env: 'Variables',
  config: 'Configuration',
  os: 'System',
};

export function needRows(skill: AgentSkill): NeedRow[] {
  return (Object.keys(LABELS) as Array<keyof Needs>).flatMap((kind) => {
    const names = skill.requirements[kind] ?? [];
    if (names.length === 0) return [];
    const missing = skill.missing[kind] ?? [];
    return [{ kind, label: LABELS[kind], names: names.map((name) => ({ name, missing: missing.includes(name) })) }];
  });
}

export type State = 'ready' | 'disabled' | 'blocked' | 'missing';

export function stateOf(skill: AgentSkill): { state: State; text: string } {
  if (skill.disabled) return { state: 'disabled', text: 'switched off' };
  if (skill.blockedByAllowlist) return { state: 'blocked', text: 'not in skills.allowBundled' };
  if (skill.blockedByAgentFilter) return { state: 'blocked', text: 'not in the agent’s list' };
  if (skill.eligible) return { state: 'ready', text: 'ready' };
  const missing = needRows(skill).flatMap((row) => row.names.filter((each) => each.missing));
  return { state: 'missing', text: missing.length > 0 ? `${missing.length} missing` : 'not usable here' };
}

export type Show = 'all' | 'ready' | 'missing' | 'off';

export function shownSkills(skills: AgentSkill[], words: string, show: Show): AgentSkill[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return skills.filter((skill) => {
    const { state } = stateOf(skill);
    const fits =
      show === 'all' || (show === 'off' ? state === 'disabled' || state === 'blocked' : state === show);
    const text = `${skill.name} ${skill.description} ${skill.skillKey} ${skill.source}`.toLowerCase();
    return fits && wanted.every((word) => text.includes(word));
  });
}

/** The variables that a person may set: the key's own one is `apiKey`. */
export function settableEnv(skill: AgentSkill): string[] {
  return (skill.requirements.env ?? []).filter((name) => name !== skill.primaryEnv);
}

export function isEnvName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
