import { jsonText } from '../selector/quote.ts';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Notice, Words } from '../widgets/Notice.tsx';
import { useInSight } from '../widgets/useInSight.ts';
import { withoutFrame, type Frame, type Report, type Run } from './run.ts';

const TONES: Record<string, string> = { ok: 'ok', success: 'ok', verified: 'ok', failed: 'bad', skipped: '', not_run: 'warn', indeterminate: 'warn' };

function Badge({ status }: { status: string }) {
  return <span class={`badge ${TONES[status] ?? ''}`}>{status.replaceAll('_', ' ')}</span>;
}

function valueText(value: unknown): string {
  const tagged = value as { kind?: string; text?: unknown; value?: unknown } | null | undefined;
  if (typeof tagged === 'object' && tagged !== null) {
    if (tagged.kind === 'text' && typeof tagged.text === 'string') return tagged.text;
    if (tagged.kind === 'json') return jsonText(tagged.value ?? null, 2);
  }
  return typeof value === 'string' ? value : jsonText(value ?? null, 2);
}

function Verification({ proof }: { proof: NonNullable<Frame['terminalVerification']> }) {
  return (
    <div class="stack">
      <h4>Verification <Badge status={proof.status ?? 'not_run'} /></h4>
      <dl class="pairs">
        {proof.expected != null && <div><dt>Expected</dt><dd><bdi>{valueText(proof.expected)}</bdi></dd></div>}
        {proof.observed != null && <div><dt>Observed</dt><dd><bdi>{valueText(proof.observed)}</bdi></dd></div>}
        {proof.note && <div><dt>Note</dt><dd><bdi>{proof.note}</bdi></dd></div>}
      </dl>
    </div>
  );
}

function FrameView({ frame }: { frame: Frame }) {
  return (
    <>
      {frame.result != null && <div class="stack"><h4>Result</h4><CodeBlock text={valueText(frame.result)} /></div>}
      {frame.terminalVerification && <Verification proof={frame.terminalVerification} />}
      {frame.checkpoints && frame.checkpoints.length > 0 && (
        <div class="stack">
          <h4>Checkpoints</h4>
          <ol class="checkpoints">
            {frame.checkpoints.map((each, at) => (
              <li key={at}><Badge status={each.status} /> <code>{each.id}</code>{each.note && <bdi class="muted"> {each.note}</bdi>}</li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function titleOf(run: Run, report: Report): { tone: 'ok' | 'warn' | 'bad'; title: string } {
  if (run.ok) return { tone: 'ok', title: report.skillResult ? 'The skill reached its goal' : 'The script ended without an error' };
  if (report.status === 'indeterminate') return { tone: 'warn', title: 'The skill ran, and does not prove what it declares' };
  return { tone: 'bad', title: 'The skill failed' };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function Verdict({ run, report }: { run: Run; report: Report }) {
  const { tone, title } = titleOf(run, report);
  const facts = [
    report.durationMs !== undefined && seconds(report.durationMs),
    report.exitCode !== undefined && `exit code ${report.exitCode}`,
  ].filter(Boolean);
  return (
    <Notice tone={tone} title={title}>
      {report.code && <span><span class="code">{report.code}</span> <bdi>{report.message}</bdi></span>}
      {report.hint && <span class="hint"><Words text={report.hint} /></span>}
      {report.expectedSubstring !== undefined && <span>Expected in the output: <code>{report.expectedSubstring}</code></span>}
      {facts.length > 0 && <span class="small">{facts.join(' · ')}</span>}
    </Notice>
  );
}

function Output({ run }: { run: Run }) {
  const lines = withoutFrame(run.lines);
  const stderr = run.lines.length === 0 ? run.report?.stderr : undefined;
  if (lines.length === 0 && !stderr) return run.report ? null : <p class="muted small">The script has printed nothing yet.</p>;
  return (
    <div class="stack">
      <h4>Output</h4>
      <pre class="output" tabIndex={0} role="log" aria-label="Output of the script">
        {run.dropped > 0 && <span class="muted">{`${run.dropped} earlier lines are left out\n`}</span>}
        {lines.map(({ stream, line }, at) => <bdi key={at} class={stream}>{line + '\n'}</bdi>)}
        {stderr && <bdi class="stderr">{stderr}</bdi>}
      </pre>
    </div>
  );
}

export function RunResult({ run }: { run: Run }) {
  const { report } = run;
  const verdict = useInSight(report !== null);
  return (
    <section class="run-result stack" aria-label="Result of the run" aria-busy={!report}>
      <div ref={verdict}>
        {!report && <p class="row muted" role="status"><span class="spinner" /> The skill runs…</p>}
        {report && <Verdict run={run} report={report} />}
      </div>
      {report?.skillResult && <FrameView frame={report.skillResult} />}
      <Output run={run} />
    </section>
  );
}
