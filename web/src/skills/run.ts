/** Runs of skills: one at a time from this page, with what the script prints as it comes. */
import { signal } from '@preact/signals';
import { request, toFailure } from '../api/client.ts';
import { onEvent } from '../api/events.ts';
import { expectChange } from '../state/refresh.ts';

export interface Line {
  stream: 'stdout' | 'stderr';
  line: string;
}

export interface Checkpoint {
  id: string;
  status: string;
  note?: string;
}

export interface Frame {
  status?: string;
  result?: { kind?: string; text?: string; value?: unknown } | null;
  checkpoints?: Checkpoint[];
  terminalVerification?: { status?: string; expected?: unknown; observed?: unknown; note?: string } | null;
  goal?: unknown;
  inputs?: unknown;
}

/** The members that a run's answer or its error has. */
export interface Report {
  code?: string;
  message?: string;
  hint?: string;
  status?: string;
  exitCode?: number;
  durationMs?: number;
  output?: string;
  stdout?: string;
  stderr?: string;
  skillResult?: Frame | null;
  expectedSubstring?: string;
}

export interface Run {
  skillId: string;
  words: string[];
  lines: Line[];
  dropped: number;
  report: Report | null; // null while it runs
  ok: boolean;
}

export interface Call {
  deviceId?: string;
  args?: string[];
  timeoutMs?: number;
  expectContains?: string;
}

const MOST_LINES = 2000;
export const lastRun = signal<Run | null>(null);
export const skillRuns = signal(false);

function change(more: (run: Run) => Partial<Run>) {
  const run = lastRun.value;
  if (run) lastRun.value = { ...run, ...more(run) };
}

function reportOf(body: unknown): { ok: boolean; report: Report } {
  const { ok, error, ...rest } = (body ?? {}) as { ok?: boolean; error?: Report } & Report;
  return { ok: ok === true, report: { ...rest, ...error } };
}

/** The frame stands at the end of the output; the result shows it better. */
export function withoutFrame(lines: Line[]): Line[] {
  const at = lines.findIndex(({ line }) => line === '[Clawperator-Skill-Result]');
  return at < 0 ? lines : [...lines.slice(0, at), ...lines.slice(at + 2)];
}

export async function runSkill(skillId: string, call: Call): Promise<void> {
  if (skillRuns.value) return;
  skillRuns.value = true;
  lastRun.value = { skillId, words: call.args ?? [], lines: [], dropped: 0, report: null, ok: false };
  let runId: string | null = null;
  const end = onEvent('clawperator:skill', (event) => {
    // The first line names the run; another client's run of the same skill has another id.
    if (event.skillId !== skillId || (runId !== null && event.runId !== runId)) return;
    runId = event.runId;
    change(({ lines, dropped }) => {
      const all = [...lines, { stream: event.stream, line: event.line }];
      return { lines: all.slice(-MOST_LINES), dropped: dropped + Math.max(0, all.length - MOST_LINES) };
    });
  });
  try {
    const statuses = [400, 404, 408, 409, 422, 423, 429, 500, 502, 503, 504];
    const answer = await request('post', '/skills/{skillId}/run', { path: { skillId } }, call, statuses);
    const body: unknown = await answer.json().catch(() => null);
    change(() => reportOf(body));
  } catch (problem) {
    const { code, message, hint } = toFailure(problem);
    change(() => ({ ok: false, report: { code, message, hint } }));
  } finally {
    // The last lines may come after the answer.
    window.setTimeout(end, 500);
    skillRuns.value = false;
    expectChange();
  }
}
