/** The answer of an act as what a person reads: what happened, what proves it, what went wrong and what to do. */

export interface Near {
  ref: string;
  line: string; // without the ref
}

export interface Outcome {
  state: 'done' | 'failed';
  title: string;
  effect?: string;
  proof?: string;
  code?: string;
  message?: string;
  hint?: string;
  unsure?: boolean; // it may have happened
  near: Near[];
  facts: Array<[string, string]>;
  steps: StepResult[];
  tree?: ShownTree;
}

export interface StepResult {
  id: string;
  actionType: string;
  success: boolean;
  data: Record<string, string>;
}

/** Nodes as JSON, as `applyTree` takes them. */
export interface ShownTree {
  text: string;
  hash: string;
}

export interface Refusal {
  code: string;
  message: string;
  hint?: string;
  status?: number;
  details?: Record<string, unknown>;
}

interface Miss {
  foreground?: unknown;
  near?: unknown;
  dialog?: unknown;
  previous?: unknown;
  crash?: unknown;
}

interface Executed {
  envelope: { status: string; stepResults: StepResult[]; error: string | null; errorCode?: string; hint?: string };
  effect?: string;
  proof?: string;
  package?: string;
  taken?: string;
  warn?: string;
  hint?: string;
  miss?: Miss;
  failed?: { step: string | null; code: string };
  candidates?: string[];
  backend?: string;
}

const EFFECTS: Record<string, string> = {
  changed: 'The screen changed',
  unchanged: 'The screen is the same as before',
  unknown: 'Done; no proof of an effect was possible',
  unobserved: 'Sent; the effect was not observed',
};
// Steps that the server adds.
const ADDED = ['before', 'settle', 'look'];

/** `1a2b3c4d5e6f@9 "Network" #title` */
export function nearOf(lines: unknown): Near[] {
  if (!Array.isArray(lines)) return [];
  return lines.flatMap((each) => {
    const found = /^([0-9a-f]{12}@\d+)\s*(.*)$/s.exec(String(each));
    return found ? [{ ref: found[1] ?? '', line: found[2] ?? '' }] : [];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function treeOf(steps: StepResult[]): ShownTree | undefined {
  const look = steps.filter((step) => step.actionType === 'snapshot_ui' && step.success).at(-1);
  if (look?.data.actual_format !== 'nodes' || look.data.text === undefined) return undefined;
  try {
    const tree = JSON.parse(look.data.text) as { hash?: unknown; nodes?: unknown };
    if (typeof tree.hash !== 'string' || !Array.isArray(tree.nodes)) return undefined;
    return { text: look.data.text, hash: tree.hash };
  } catch {
    return undefined;
  }
}

function missFacts(miss: Miss | undefined): Array<[string, string]> {
  const names: Array<[keyof Miss, string]> = [
    ['foreground', 'App in front'],
    ['dialog', 'Dialog'],
    ['previous', 'App before'],
    ['crash', 'Crash'],
  ];
  return names.flatMap(([member, name]) => (miss?.[member] ? [[name, textOf(miss[member])] as [string, string]] : []));
}

export function outcomeOfExecution(answer: Executed): Outcome {
  const { envelope } = answer;
  const failed = envelope.status !== 'success';
  const facts: Array<[string, string]> = [];
  if (answer.package) facts.push(['App', answer.package]);
  if (answer.taken) facts.push(['Node', answer.taken]);
  if (answer.backend) facts.push(['By', 'the phone’s own shell']);
  if (answer.warn) facts.push(['Warning', answer.warn]);
  for (const step of envelope.stepResults) {
    if (!ADDED.includes(step.id) && step.data.warn) facts.push(['Warning', step.data.warn]);
    if (step.actionType === 'read_text' && step.success && step.data.text !== undefined) facts.push(['Text', step.data.text]);
  }
  facts.push(...missFacts(answer.miss));
  const step = envelope.stepResults.find((each) => !each.success);
  return {
    state: failed ? 'failed' : 'done',
    title: failed ? 'The phone did not do it' : (EFFECTS[answer.effect ?? ''] ?? 'Done'),
    effect: failed ? undefined : answer.effect,
    proof: failed ? undefined : answer.proof,
    code: failed ? (envelope.errorCode ?? answer.failed?.code ?? step?.data.errorCode ?? 'FAILED') : undefined,
    message: failed ? (envelope.error ?? step?.data.error ?? undefined) : undefined,
    hint: failed ? (envelope.hint ?? answer.hint) : undefined,
    near: nearOf(answer.miss?.near ?? answer.candidates),
    facts,
    steps: envelope.stepResults.filter((each) => !ADDED.includes(each.id)),
    tree: treeOf(envelope.stepResults),
  };
}

export function outcomeOfInput(answer: { effect?: string; proof?: string }): Outcome {
  return {
    state: 'done',
    title: EFFECTS[answer.effect ?? ''] ?? 'Sent',
    effect: answer.effect,
    proof: answer.proof,
    near: [],
    facts: [['By', 'the phone’s own shell']],
    steps: [],
  };
}

export function outcomeOfRefusal(error: Refusal): Outcome {
  const details = error.details ?? {};
  const unsure = details.dispatchAttempted === true;
  const facts: Array<[string, string]> = [];
  for (const [name, value] of Object.entries(details)) {
    if (!['near', 'candidates', 'dispatchAttempted', 'hint'].includes(name)) facts.push([name, textOf(value)]);
  }
  return {
    state: 'failed',
    title: unsure ? 'It may have happened: look at the screen before you repeat it' : 'Nothing was done',
    code: error.code,
    message: error.message,
    hint: error.hint ?? (typeof details.hint === 'string' ? details.hint : undefined),
    unsure,
    near: nearOf(details.near ?? details.candidates),
    facts,
    steps: [],
  };
}
