/** Everything that is known about the selected node. */
import { changes, select, selectedNode, shownTree } from '../state/screen.ts';
import { Button } from '../widgets/Button.tsx';
import { boundsText, labelOf, shownFact } from './model.ts';

function Fact({ name, value }: { name: string; value?: string }) {
  if (!value) return null;
  return <div><dt>{name}</dt><dd class="mono"><bdi>{shownFact(value)}</bdi></dd></div>;
}

export function NodeCard() {
  const node = selectedNode.value;
  if (!node) return null;
  const parent = shownTree.value?.nodes[node.parentIndex];
  return (
    <section class="node-card" aria-label="Selected node">
      <header class="row">
        <h2 class="grow cut"><bdi>{labelOf(node)}</bdi></h2>
        {changes.value?.changed.has(node.ref) && <span class="badge warn">changed</span>}
        {parent && <Button small onClick={() => select(parent.ref)}>Parent</Button>}
        <Button small icon kind="quiet" aria-label="Clear the selection" title="Clear the selection (Esc)" onClick={() => select(null)}>×</Button>
      </header>
      <dl class="facts-list">
        <Fact name="ref" value={node.ref.startsWith('@') ? node.ref : 'none: the compact tree leaves this node out'} />
        <Fact name="role" value={node.role} />
        <Fact name="text" value={node.text} />
        <Fact name="desc" value={node.desc} />
        <Fact name="hint" value={node.hint as string | undefined} />
        <Fact name="id" value={node.id} />
        <Fact name="class" value={node.class} />
        <Fact name="bounds" value={boundsText(node)} />
        <Fact name="flags" value={node.flags?.join(', ')} />
      </dl>
    </section>
  );
}
