import { nodes, select, selection } from '../state/screen.ts';
import { labelOf } from './model.ts';

export function TreePane() {
  return (
    <div>
      {nodes.value.map((node) => (
        <button key={node.ref} class="button small" aria-pressed={node.ref === selection.value} onClick={() => select(node.ref)}>{node.ref} {labelOf(node)}</button>
      ))}
    </div>
  );
}
