/** All devices: how they are reached, what they are, and what they do. */
import { runningOn } from '../state/activity.ts';
import { now } from '../state/clock.ts';
import {
  details, detailsFailures, devices, devicesFailure, latencies, loadDevices, selectDevice, selectedDevice, selectedSerial,
  stats,
} from '../state/devices.ts';
import { layout, shelfOpen } from '../state/layout.ts';
import type { DeviceDetails, DeviceRow } from '../api/client.ts';
import { Button } from '../widgets/Button.tsx';
import { Empty, FailureNotice, Words } from '../widgets/Notice.tsx';
import { durationOf, mergeRows, sparkline, stateOf, timeOf } from './words.ts';

const WIDTH = 48;
const HEIGHT = 20;

function Sparkline({ serial }: { serial: string }) {
  const values = latencies.value[serial] ?? [];
  const last = values.at(-1);
  if (last === undefined) return null;
  const verbs = Object.entries(stats.value[serial]?.verbs ?? {});
  const all = verbs.map(([verb, { count, micros }]) => `${verb}: ${count} times, p50 ${timeOf(micros.total?.p50 ?? 0)}, p95 ${timeOf(micros.total?.p95 ?? 0)}`);
  return (
    <span class="row latency" title={['How long the last commands took', ...all].join('\n')}>
      {values.length > 1 && (
        <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          <polyline points={sparkline(values, WIDTH, HEIGHT)} />
        </svg>
      )}
      <span class="small muted">{timeOf(last)}<span class="unseen"> for the last executions</span></span>
    </span>
  );
}

function Facts({ known }: { known: DeviceDetails }) {
  const { android, operator, battery } = known;
  const facts = [
    android && `Android ${android.release}`,
    operator ? `Operator ${operator.version}` : 'no Operator app',
    battery && `${battery.percent}\u00a0%${battery.status === 'charging' ? '\u00a0charging' : ''}`,
  ];
  return <span class="small muted">{facts.filter(Boolean).join(' · ')}</span>;
}

function Use({ serial, known }: { serial: string; known: DeviceDetails | undefined }) {
  const busy: { commandId: string; since: number; holderPid?: number } | null = known?.busy ?? runningOn(serial);
  if (!busy) return <span class="badge ok">{known ? 'ready, idle' : 'ready'}</span>;
  const by = busy.holderPid ? `, process ${busy.holderPid}` : '';
  const since = durationOf(now.value - busy.since);
  return <span class="badge warn busy">busy {since}: {busy.commandId}{by}</span>;
}

function Card({ row, route }: { row: DeviceRow; route: string }) {
  const state = stateOf(row.state);
  const ready = row.state === 'device';
  const known = ready ? details.value[row.serial] : undefined;
  const failure = ready ? detailsFailures.value[row.serial] : undefined;
  const chosen = row.serial === selectedSerial.value;
  return (
    <li>
      <button type="button" class="device" aria-pressed={chosen} onClick={() => {
        selectDevice(row.serial);
        shelfOpen.value = false;
      }}>
        <span class="name">{row.model ?? row.serial}</span>
        <span class="small muted cut">{row.model ? `${row.serial} · ` : ''}{route}</span>
        {known && <Facts known={known} />}
        <span class="row wrap use">
          <span class="use-badge">{ready ? <Use serial={row.serial} known={known} /> : <span class={`badge ${state.tone}`}>{state.words}</span>}</span>
          {ready && <Sparkline serial={row.serial} />}
        </span>
        {failure && <span class="small bad-text">{failure.code}: {failure.message}</span>}
        {state.advice && <span class="small advice"><Words text={state.advice} /></span>}
      </button>
    </li>
  );
}

/** Without any device and without an adb server the list is an error of the API, and no fault that a person must mend. */
function adbServerMissing() {
  const server = devicesFailure.value?.details?.server;
  return typeof server === 'string' ? server : null;
}

function List() {
  const server = adbServerMissing();
  if (devicesFailure.value && !server)
    return <FailureNotice what="The devices cannot be listed" failure={devicesFailure.value}
      actions={<Button small onClick={loadDevices}>Try again</Button>} />;
  if (!devices.value?.length && (devices.value || server))
    return <Empty title="No device">Connect a phone by USB, or run <code>clawperator connect HOST:PORT</code>. It appears here by
      itself.{server && <> No adb server answers at <code>{server}</code>.</>}</Empty>;
  if (devices.value === null) return <p class="muted small" role="status">Loading…</p>;
  return <ul class="devices">{mergeRows(devices.value).map(({ row, route }) => <Card key={row.serial} row={row} route={route} />)}</ul>;
}

/** Where there is no room, one line with the chosen device opens the list. */
function ShelfLine() {
  const row = selectedDevice.value;
  const name = row ? row.model ?? row.serial : selectedSerial.value ?? 'no device';
  const state = row && stateOf(row.state);
  const count = mergeRows(devices.value ?? []).length;
  return (
    <button type="button" class="shelf-line" aria-expanded={shelfOpen.value} aria-controls="devices" onClick={() => {
      shelfOpen.value = !shelfOpen.value;
    }}>
      <span class="grow cut">{name}</span>
      {state && <span class={`badge ${state.tone}`}>{state.words}</span>}
      <span class="muted small">{count} {count === 1 ? 'device' : 'devices'}</span>
      <span aria-hidden="true">{shelfOpen.value ? '▴' : '▾'}</span>
    </button>
  );
}

export function Shelf() {
  const folded = layout.value !== 'wide';
  return (
    <nav class="shelf" aria-label="Devices">
      {folded && <ShelfLine />}
      <div id="devices" class="shelf-list" hidden={folded && !shelfOpen.value}>
        <h2 class="shelf-title">Devices</h2>
        <List />
      </div>
    </nav>
  );
}
