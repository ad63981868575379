/** Routes that the generated types do not have yet. This file goes once api.gen.ts has them. */
import type { paths } from '../api.gen.ts';

interface Json<T> {
  responses: { 200: { content: { 'application/json': T } } };
}

export interface DeviceRow {
  serial: string;
  state: string;
  transport: string;
  model?: string;
  place?: string;
}

export interface Busy {
  commandId: string;
  since: number;
  holderPid?: number;
}

export interface DeviceDetails {
  ok: true;
  deviceId: string;
  device: DeviceRow;
  android: { release: string; sdk: number } | null;
  operator: { package: string; version: string } | null;
  battery: { level: number; charging: boolean } | null;
  screen: { width: number; height: number } | null;
  busy: Busy | null;
}

export interface TreeDiff {
  ok: true;
  unchanged: boolean;
  text: string;
  changed: string[];
  removed: string[];
}

export interface Candidate {
  matcher: Record<string, unknown>;
  matches: number;
  strict: boolean;
}

export interface ComingPaths {
  '/devices/{serial}': { get: Json<DeviceDetails> };
  '/devices/{serial}/diff': { get: Json<TreeDiff> };
  '/devices/{serial}/selectors': { get: Json<{ ok: true; candidates: Candidate[] }> };
  '/skills/{skillId}/validate': { post: Json<{ ok: true; valid: boolean; [member: string]: unknown }> };
  '/agent-skills/prompt': {
    get: Json<{ ok: true; prompt: string; skills: number; truncated: boolean; [member: string]: unknown }>;
  };
}

export type AllPaths = Omit<paths, keyof ComingPaths> & ComingPaths;
