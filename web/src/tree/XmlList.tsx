/** The XML of the snapshot, line by line as the server sent it. A click on the line of a node selects it. */
import { fullTree, select } from '../state/screen.ts';
import { selectedLine, xmlLines } from './state.ts';
import { useRows } from './useRows.ts';

const ROW = 20;
const LONGEST = 4000;

export function XmlList() {
  const lines = xmlLines.value;
  const { element, onScroll, start, end } = useRows(ROW, lines.length, selectedLine);
  const click = (event: MouseEvent) => {
    const list = element.current!;
    // A text that was marked is to be copied.
    if (!window.getSelection()?.isCollapsed) return;
    const row = Math.floor((event.clientY - list.getBoundingClientRect().top + list.scrollTop) / ROW);
    const node = fullTree.value?.nodes[lines[row]?.node ?? -1];
    if (node) select(node.ref);
  };
  return (
    <div ref={element} class="tree-list xml mono" role="region" aria-label="XML of the screen" tabIndex={0} onScroll={onScroll} onClick={click}>
      <div class="tree-space" style={{ height: `${lines.length * ROW}px` }}>
        {selectedLine.value >= 0 && <div class="xml-selected" style={{ transform: `translateY(${selectedLine.value * ROW}px)` }} />}
        <pre style={{ top: `${start * ROW}px` }}>{lines.slice(start, end).map(({ text }) => text.slice(0, LONGEST)).join('\n')}</pre>
      </div>
    </div>
  );
}
