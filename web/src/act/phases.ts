/** The parts of an act's duration, as the page saw them: stages of the phone by their arrival, else what steps report. */
import type { StepResult } from './outcome.ts';

export interface Stage {
  atMs: number; // since the request was sent
  stage: string;
  operation: string;
}

export interface Phase {
  name: string;
  ms: number;
}

const READS_TREE = ['logUiTree', 'snapshot_ui'];

function named(operation: string): string {
  // An action names its whole matcher behind its type.
  return READS_TREE.includes(operation) ? 'read the tree' : operation.replace(/\(.*$/s, '');
}

/** Phases add up to `totalMs`, and none is negative. */
export function phasesOf(totalMs: number, stages: Stage[], steps: StepResult[]): Phase[] {
  const phases = stages.some((each) => each.stage === 'start') ? byStages(totalMs, stages) : bySteps(totalMs, steps);
  return phases.filter((phase) => phase.ms >= 0.5);
}

function byStages(totalMs: number, stages: Stage[]): Phase[] {
  const phases: Phase[] = [];
  let now = 0;
  let running: string | null = null;
  for (const { atMs, stage, operation } of stages) {
    const at = Math.min(Math.max(atMs, now), totalMs);
    const name: string = running ?? (phases.length === 0 ? 'wait and send' : 'settle');
    if (stage === 'retry') continue;
    phases.push({ name, ms: at - now });
    now = at;
    running = stage === 'start' ? named(operation) : null;
  }
  phases.push({ name: running ?? 'answer', ms: totalMs - now });
  return phases;
}

function bySteps(totalMs: number, steps: StepResult[]): Phase[] {
  const phases: Phase[] = [];
  let rest = totalMs;
  for (const { actionType, data } of steps) {
    const ms = Math.min(Number(data.elapsed_ms ?? data.navigation_elapsed_ms ?? data.duration_ms ?? 0) || 0, rest);
    phases.push({ name: named(actionType), ms });
    rest -= ms;
  }
  return [...phases, { name: 'link, tree and proof', ms: rest }];
}

export function milliseconds(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
