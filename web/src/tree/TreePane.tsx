/** The tree of the screen: search, switches, three views, and what changed. */
import { useSignal, type Signal } from '@preact/signals';
import { selectedReady } from '../state/devices.ts';
import { layout, shownPane } from '../state/layout.ts';
import { ShellOffer } from '../screen/PicturePane.tsx';
import {
  changes, fullTree, loadTree, previousHash, select, shownTree, tree, treeFailure, treeLoading, xml,
} from '../state/screen.ts';
import { interactiveOnly, treeView, visibleOnly, type TreeView } from '../state/settings.ts';
import { Button } from '../widgets/Button.tsx';
import { CodeBlock } from '../widgets/CodeBlock.tsx';
import { Empty, FailureNotice } from '../widgets/Notice.tsx';
import { Segments } from '../widgets/Tabs.tsx';
import { NodeCard } from './NodeCard.tsx';
import { matches, rows, search, xmlLines } from './state.ts';
import { TreeList } from './TreeList.tsx';
import { XmlList } from './XmlList.tsx';

const VIEWS: { id: TreeView | 'diff'; name: string; title: string }[] = [
  { id: 'compact', name: 'Compact', title: 'The nodes that agents see, with their refs' },
  { id: 'full', name: 'Full', title: 'Every node of the screen' },
  { id: 'xml', name: 'XML', title: 'The tree as Android writes it' },
  { id: 'diff', name: 'Diff', title: 'What differs from the snapshot before' },
];

function Search() {
  /** Enter goes to the first match, and on to the list. */
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const first = matches.value ? Math.min(...matches.value) : rows.value[0];
    const node = first === undefined ? undefined : shownTree.value?.nodes[first];
    if (node) select(node.ref);
    document.querySelector<HTMLElement>('.tree-list')?.focus();
  };
  return (
    <input id="tree-search" type="search" class="grow" aria-label="Search the tree" placeholder="Search: text, id:…, desc:…, role:…"
      spellcheck={false} value={search.value} onKeyDown={key} onInput={(event) => {
        search.value = event.currentTarget.value;
      }} />
  );
}

function Switch({ name, title, state }: { name: string; title: string; state: typeof visibleOnly }) {
  return (
    <button type="button" aria-pressed={state.value} title={title} onClick={() => {
      state.value = !state.value;
    }}>{name}</button>
  );
}

function Count() {
  if (!shownTree.value) return null;
  const all = shownTree.value.nodes.length;
  if (treeView.value === 'xml') return <span class="muted small">{xmlLines.value.length} lines</span>;
  return <span class="muted small" role="status">{matches.value ? `${matches.value.size} of ${all}` : all} nodes</span>;
}

function Tools({ diffShown }: { diffShown: Signal<boolean> }) {
  return (
    <div class="tree-tools">
      <div class="row"><Search /><Count /></div>
      <div class="row wrap">
        <Segments label="View of the tree" choices={VIEWS} selected={diffShown.value ? 'diff' : treeView.value} onSelect={(id) => {
          diffShown.value = id === 'diff';
          if (id !== 'diff') treeView.value = id;
        }} />
        <div class="segments" role="group" aria-label="Which nodes">
          <Switch name="interactive" title="Only nodes that take a tap, text or a scroll" state={interactiveOnly} />
          <Switch name="visible" title="Only nodes with a part on the screen" state={visibleOnly} />
        </div>
      </div>
    </div>
  );
}

function Diff() {
  const diff = changes.value;
  if (!previousHash.value) return <Empty title="No diff yet">It compares the tree with the one before. Act, or refresh after a change.</Empty>;
  if (!diff) return <Empty title="No diff of these two trees">The server no longer has one of them. The next change makes a new one.</Empty>;
  return (
    <div class="stack">
      <p class="small muted">{diff.changed.size} nodes are new or different, {diff.removed.length} are gone: from {previousHash.value} to {tree.value?.hash}.</p>
      {diff.text ? <CodeBlock text={diff.text} /> : <p>Nothing differs.</p>}
    </div>
  );
}

function Content() {
  const failure = treeFailure.value;
  const notice = failure && (
    <div class="pane-notice">
      <FailureNotice what={tree.value ? 'The tree was not read again' : 'No tree'} failure={failure}
        actions={<><Button small onClick={() => void loadTree()}>Try again</Button><ShellOffer code={failure.code} /></>} />
    </div>
  );
  if (!tree.value) {
    if (notice) return notice;
    if (treeLoading.value) return <Empty title="Reading the tree…" />;
    if (!selectedReady.value) return <Empty title="No tree">Choose a device that is ready.</Empty>;
    return <Empty title="No tree yet" actions={<Button kind="primary" onClick={() => void loadTree()}>Read it</Button>}>The tree is read on demand.</Empty>;
  }
  const waits = treeView.value === 'full' ? !fullTree.value : treeView.value === 'xml' && !xml.value;
  if (waits) return <>{notice}<Empty title={failure ? 'This view needs the whole tree' : 'Reading the whole tree…'} /></>;
  if (treeView.value === 'xml') return <>{notice}<XmlList /></>;
  if (!rows.value.length)
    return <>{notice}<Empty title={tree.value.nodes.length ? 'No node matches' : 'The screen has no nodes'} actions={
      matches.value && <Button onClick={() => {
        search.value = '';
        interactiveOnly.value = false;
        visibleOnly.value = false;
      }}>Show all</Button>}>{tree.value.nodes.length ? 'Change the search or the switches.' : 'Refresh once the app shows something.'}</Empty></>;
  return <>{notice}<TreeList /></>;
}

export function TreePane() {
  const diffShown = useSignal(false);
  // Beside the tree, the selector pane shows the facts of the node.
  const factsElsewhere = layout.value === 'wide' && shownPane.value === 'selector';
  return (
    <>
      <Tools diffShown={diffShown} />
      {diffShown.value ? <div class="diff-pane"><Diff /></div> : <Content />}
      {!factsElsewhere && <NodeCard />}
    </>
  );
}
