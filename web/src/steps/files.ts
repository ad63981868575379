/** Steps as files: an execution's payload, a skill's artifact (a recipe), a list with everything; and back. */
import type { Action } from '../act/build.ts';
import { jsonText } from '../selector/quote.ts';
import { deedJson, filled, newStep, placeholders, readDeed, type Step, type Values } from './list.ts';

export type Kind = 'execution' | 'recipe' | 'list';

export interface Saved {
  name: string; // of the file
  text: string;
  left: Step[]; // what this kind of file cannot have
  missing: string[]; // values that an execution lacks
}

const MOST_ACTIONS = 50;
const BRACES = /\{(?=\{)/g;

/** Ids are unique in an execution. */
export function withIds(actions: Action[]): Action[] {
  const taken = new Set<string>();
  return actions.map((action) => {
    let id = action.id;
    for (let n = 2; taken.has(id); n++) id = `${action.id}-${n}`;
    taken.add(id);
    return { ...action, id };
  });
}

function split(steps: Step[]): { kept: Step[]; left: Step[] } {
  const kept = steps.filter((step) => 'action' in step.what).slice(0, MOST_ACTIONS);
  return { kept, left: steps.filter((step) => !kept.includes(step)) };
}

// A guess that leaves every step its time.
function timeLimit(count: number): number {
  return Math.min(30000 + count * 5000, 120000);
}

function actionsOf(steps: Step[]): Action[] {
  return withIds(steps.flatMap((step) => ('action' in step.what ? [step.what.action] : [])));
}

export function asExecution(steps: Step[], values: Values, name: string): Saved {
  const { kept, left } = split(steps);
  const actions = actionsOf(kept.map((step) => ({ ...step, what: filled(step, values) })));
  const execution = {
    commandId: name,
    taskId: name,
    source: 'inspector',
    expectedFormat: 'android-ui-automator',
    timeoutMs: timeLimit(actions.length),
    actions,
  };
  const missing = placeholders(kept).filter((each) => !values[each]);
  return { name: `${name}.json`, text: jsonText(execution, 2) + '\n', left, missing };
}

/** In a literal text `{{` is no placeholder: one brace of it is escaped, which JSON reads as the same text. */
function recipeAction(action: Action, literal: boolean): string {
  const text = jsonText(action, 2);
  return literal ? text.replace(BRACES, '\\u007b') : text;
}

export function asRecipe(steps: Step[], name: string, source: string): Saved {
  const { kept, left } = split(steps);
  const actions = actionsOf(kept).map((action, at) => recipeAction(action, kept[at]?.literal ?? false));
  const text = [
    '{',
    '  "commandId": "{{COMMAND_ID}}",',
    '  "taskId": "{{TASK_ID}}",',
    `  "source": ${jsonText(source)},`,
    '  "expectedFormat": "android-ui-automator",',
    `  "timeoutMs": ${timeLimit(actions.length)},`,
    '  "actions": [',
    actions.map((action) => action.replace(/^/gm, '    ')).join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
  return { name: `${name}.recipe.json`, text, left, missing: [] };
}

export function asList(steps: Step[], name: string): Saved {
  const rows = steps.map((step) => ({ ...(deedJson(step.what) as object), ...(step.literal && { literal: true }) }));
  return { name: `${name}.steps.json`, text: jsonText({ steps: rows }, 2) + '\n', left: [], missing: [] };
}

/** Steps of any of these files; a text is what is wrong. */
export function readFile(text: string, keyOf: () => string): Step[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const file = value as { actions?: unknown; steps?: unknown; execution?: { actions?: unknown } } | null;
  const rows = file?.steps ?? file?.actions ?? file?.execution?.actions ?? value;
  if (!Array.isArray(rows) || rows.length === 0) return 'The file has no "actions" and no "steps".';
  const steps: Step[] = [];
  for (const [at, row] of rows.entries()) {
    const { literal, ...rest } = (typeof row === 'object' && row !== null ? row : {}) as { literal?: unknown };
    const what = readDeed(rest);
    if (typeof what === 'string') return `Step ${at + 1}: ${what}`;
    const step = newStep(keyOf(), what);
    // Only a list marks what is literal; the braces of an execution or a recipe are placeholders.
    steps.push({ ...step, literal: literal === true });
  }
  return steps;
}
