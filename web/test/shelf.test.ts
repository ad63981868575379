import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf, toFailure } from '../src/api/failure.ts';
import { durationOf, latencySince, mergeRows, routeOf, sparkline, stateOf, timeOf } from '../src/shelf/words.ts';
import { nextDelay } from '../src/state/pace.ts';

test('routes, states and durations in words', () => {
  assert.equal(routeOf({ serial: 'a', state: 'device', transport: 'usb' }), 'USB');
  assert.equal(routeOf({ serial: 'h:1', state: 'device', transport: 'tcp' }), 'TCP');
  assert.equal(routeOf({ serial: 'h:1', state: 'device', transport: 'tcp', tls: true }), 'TLS');
  assert.equal(routeOf({ serial: 'a', state: 'device', transport: 'new' }), 'new');
  assert.equal(stateOf('device').tone, 'ok');
  assert.equal(stateOf('recovery').words, 'recovery');
  assert.ok(stateOf('recovery').advice);
  assert.deepEqual([durationOf(61000), durationOf(2e7), durationOf(-5)], ['1 min', '5 h', '0 s']);
  assert.deepEqual([timeOf(3071), timeOf(123456), timeOf(2.5e7)], ['3.1 ms', '123 ms', '25.0 s']);
});

test('two ways to a device are one entry', () => {
  const rows = [
    { serial: 'a', state: 'offline', transport: 'server' }, { serial: 'b', state: 'device', transport: 'usb' },
    { serial: 'a', state: 'device', transport: 'tcp' }, { serial: 'b', state: 'device', transport: 'server' },
  ];
  assert.deepEqual(mergeRows(rows).map(({ row, route }) => [row.serial, row.state, route]),
    [['a', 'device', 'TCP'], ['b', 'device', 'USB, adb server']]);
});

test('the latency is that of the executions since the last look', () => {
  const verb = (count: number, p50: number) => ({ count, micros: { total: { p50, p95: p50 } } });
  assert.deepEqual(latencySince(undefined, { click: verb(1, 100), look: verb(3, 200) }), { micros: 175, count: 4 });
  assert.deepEqual(latencySince({ click: verb(1, 100) }, { click: verb(1, 100) }), null);
});

test('a sparkline stays in its box', () => {
  assert.equal(sparkline([0, 10], 100, 20), '0.0,19.0 100.0,1.0');
  assert.equal(sparkline([5], 100, 20), '0.0,1.0');
});

test('a still screen is looked at less often, a failing device even less', () => {
  assert.equal(nextDelay('change', { unchanged: 0, failures: 0 }), 300);
  assert.equal(nextDelay('change', { unchanged: 50, failures: 0 }), 2000);
  assert.equal(nextDelay(1000, { unchanged: 50, failures: 0 }), 1000);
  assert.equal(nextDelay(1000, { unchanged: 0, failures: 9 }), 15000);
});

test('every failure has a code and a message', () => {
  const failure = failureOf(404, { ok: false, error: { code: 'A', message: 'b' }, hint: 'c' });
  assert.deepEqual([failure.code, failure.message, failure.status, failure.hint], ['A', 'b', 404, 'c']);
  assert.equal(failureOf(502, null).code, 'HTTP_502');
  assert.equal(toFailure(new Error('x')).code, 'PAGE_ERROR');
});
