/** The XML of the snapshot, line by line as the server sent it. */
import { useSignal } from '@preact/signals';
import { xmlLines } from './state.ts';
import { useRows } from './useRows.ts';

const ROW = 20;
const LONGEST = 4000;

export function XmlList() {
  const none = useSignal(-1);
  const lines = xmlLines.value;
  const { element, onScroll, start, end } = useRows(ROW, lines.length, none);
  return (
    <div ref={element} class="tree-list xml mono" role="region" aria-label="XML of the screen" tabIndex={0} onScroll={onScroll}>
      <div class="tree-space" style={{ height: `${lines.length * ROW}px` }}>
        <pre style={{ top: `${start * ROW}px` }}>{lines.slice(start, end).map((line) => line.slice(0, LONGEST)).join('\n')}</pre>
      </div>
    </div>
  );
}
