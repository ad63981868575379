import { select, tree } from '../state/screen.ts';
import { Bar } from '../widgets/Bar.tsx';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Notice, Words } from '../widgets/Notice.tsx';
import { useInSight } from '../widgets/useInSight.ts';
import { jsonText } from '../selector/quote.ts';
import type { Near, Outcome } from './outcome.ts';
import type { Card } from './perform.ts';
import { milliseconds } from './phases.ts';

function toneOf(outcome: Outcome): 'ok' | 'warn' | 'bad' {
  if (outcome.state === 'failed') return outcome.unsure ? 'warn' : 'bad';
  return outcome.effect === 'changed' || outcome.effect === undefined ? 'ok' : 'warn';
}

const PROOFS: Record<string, string> = { tree: 'proved by the trees before and after', pixels: 'proved by pictures before and after' };

function NearList({ near }: { near: Near[] }) {
  // A ref of another tree than the shown one cannot be selected here.
  const onScreen = (ref: string) => tree.value?.hash === ref.slice(0, 12) && tree.value.byRef.has(ref.slice(12));
  return (
    <div class="stack">
      <h3>Nodes that nearly match</h3>
      <ul class="near">
        {near.map(({ ref, line }) => (
          <li key={ref}>
            <button type="button" class="button small" disabled={!onScreen(ref)} onClick={() => select(ref.slice(12))}
              title={onScreen(ref) ? 'Select this node' : 'This node is of another screen'}>
              <code>{ref.slice(12)}</code> <bdi>{line}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Verdict({ outcome, totalMs }: { outcome: Outcome; totalMs: number }) {
  return (
    <Notice tone={toneOf(outcome)} title={outcome.title}>
      {outcome.code && <span><span class="code">{outcome.code}</span> <bdi>{outcome.message}</bdi></span>}
      {outcome.hint && <span class="hint"><Words text={outcome.hint} /></span>}
      <span class="small">
        {[outcome.proof && PROOFS[outcome.proof], milliseconds(totalMs)].filter(Boolean).join(' · ')}
      </span>
    </Notice>
  );
}

/** One act: what was sent, what came of it, what changed, how long it took. */
export function ResultCard({ card }: { card: Card }) {
  const { outcome } = card;
  const verdict = useInSight(outcome !== null);
  return (
    <section class="result stack" aria-label={`Result: ${card.title}`} aria-busy={!outcome}>
      <div ref={verdict} class="stack">
        <h2><bdi>{card.title}</bdi></h2>
        {!outcome && <p class="row muted" role="status"><span class="spinner" /> Sent; waiting for the phone…</p>}
        {outcome && <Verdict outcome={outcome} totalMs={card.totalMs} />}
      </div>
      {outcome && outcome.near.length > 0 && <NearList near={outcome.near} />}
      {outcome && outcome.facts.length > 0 && (
        <dl class="pairs">
          {outcome.facts.map(([name, value], at) => <div key={at}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}
        </dl>
      )}
      {outcome && card.phases.length > 1 && (
        <Bar label={`Duration: ${milliseconds(card.totalMs)}`} labelOf={milliseconds}
          parts={card.phases.map(({ name, ms }) => ({ name, value: ms }))} />
      )}
      {card.diff && (
        <details open>
          <summary>What changed</summary>
          <pre class="diff" tabIndex={0}>{card.diff}</pre>
        </details>
      )}
      <details>
        <summary>What was sent: POST {card.sent.route === 'execute' ? '/execute' : `/devices/${card.serial}/input`}</summary>
        <CodeBlock text={jsonText(card.sent.body, 2)} />
      </details>
    </section>
  );
}
