import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchNodes, parseSearch, visibleRows, type Filter } from '../src/tree/filter.ts';
import { foldedRefs, nodeOfPath, pathOf } from '../src/tree/folds.ts';
import { followNode } from '../src/tree/follow.ts';
import { lineOf } from '../src/tree/line.ts';
import { boundsText, buildTree, cutText, labelOf } from '../src/tree/model.ts';
import { scrollToRow, windowOf } from '../src/tree/window.ts';
import { decodeEntities, linesOf, parseXml } from '../src/tree/xml.ts';

const SCREEN = { width: 1080, height: 2400 };
const ALL: Filter = { search: '', interactiveOnly: false, visibleOnly: false };
const tree = buildTree({ hash: 'abc', package: 'com.a', nodes: [
  { ref: '@1', role: 'list', id: 'com.a:id/list', class: 'android.widget.ListView', bounds: [0, 0, 1080, 2400], flags: ['scrollable'] },
  { ref: '@2', parent: '@1', role: 'group', class: 'android.widget.LinearLayout', bounds: [0, 0, 1080, 200], flags: ['clickable'] },
  { ref: '@3', parent: '@2', role: 'text', text: 'Network & internet', id: 'android:id/title', bounds: [0, 0, 500, 100] },
  { ref: '@4', parent: '@2', role: 'text', text: 'Mobile, Wi-Fi', id: 'android:id/summary', bounds: [0, 100, 500, 200] },
  { ref: '@5', parent: '@1', role: 'button', desc: 'Search', bounds: [0, 2500, 100, 2600], flags: ['clickable', 'disabled'] },
  { ref: '@6', role: 'text', text: 'Alone', bounds: [0, 300, 0, 400] },
] });
const refs = (matches: Set<number> | null) => [...(matches ?? [])].map((index) => tree.nodes[index]!.ref);
const found = (search: string, more: Partial<Filter> = {}) => refs(matchNodes(tree, { ...ALL, search, ...more }, SCREEN));

test('depth and end follow from the parents', () => {
  assert.deepEqual(tree.nodes.map((node) => [node.depth, node.end]), [[0, 5], [1, 4], [2, 3], [2, 4], [1, 5], [0, 6]]);
});

test('a search looks at text, id, description and role', () => {
  assert.equal(matchNodes(tree, ALL, SCREEN), null);
  assert.deepEqual(found('network'), ['@3']);
  assert.deepEqual(found('id:TITLE'), ['@3']);
  assert.deepEqual(found('search'), ['@5']);
  assert.deepEqual(found('role:text wi-fi'), ['@4']);
  assert.deepEqual(found('text:"network & i'), ['@3']);
  assert.deepEqual(found('@4'), ['@4']);
  assert.deepEqual(parseSearch('https://x'), [{ field: null, value: 'https://x' }]);
  assert.deepEqual(found('nothing like it'), []);
});

test('interactive and visible nodes', () => {
  assert.deepEqual(found('', { interactiveOnly: true }), ['@1', '@2']);
  assert.deepEqual(found('', { visibleOnly: true }), ['@1', '@2', '@3', '@4']);
});

test('rows: folded parts are left out; a match brings the nodes around it', () => {
  assert.deepEqual(visibleRows(tree, null, new Set()), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(visibleRows(tree, null, new Set(['@2'])), [0, 1, 4, 5]);
  assert.deepEqual(visibleRows(tree, new Set([3]), new Set(['@2'])), [0, 1, 3]);
});

test('folds are kept by path', () => {
  assert.equal(pathOf(tree, tree.nodes[3]!), '0.0.1');
  assert.equal(nodeOfPath(tree, '0.0.1')?.ref, '@4');
  assert.equal(nodeOfPath(tree, '0.7'), null);
  assert.deepEqual([...foldedRefs(tree, new Set(['0.0', '1', '9']))], ['@2']);
});

test('the list draws only what is seen', () => {
  assert.deepEqual(windowOf(0, 240, 24, 10000), { start: 0, end: 18 });
  assert.deepEqual(windowOf(2400, 240, 24, 10000), { start: 92, end: 118 });
  assert.deepEqual(windowOf(9e9, 240, 24, 5), { start: 5, end: 5 });
  assert.equal(scrollToRow(3, 0, 240, 24), 0);
  assert.equal(scrollToRow(10, 0, 240, 24), 24);
  assert.equal(scrollToRow(1, 240, 240, 24), 24);
});

test('the selected node is found in the next snapshot', () => {
  const next = buildTree({ hash: 'def', nodes: [
    { ref: '@1', role: 'text', text: 'New', id: 'android:id/title', bounds: [0, 0, 500, 100] },
    { ref: '@2', role: 'text', text: 'Network & internet', id: 'android:id/title', bounds: [0, 200, 500, 300] },
    { ref: '@3', role: 'text', text: 'Twice', bounds: [0, 400, 500, 500] },
    { ref: '@4', role: 'text', text: 'Twice', bounds: [0, 400, 500, 500] },
  ] });
  assert.equal(followNode(tree, '@3', next), '@2');
  assert.equal(followNode(tree, '@6', next), null);
  assert.equal(followNode(tree, null, next), null);
  assert.equal(followNode(next, '@3', next), null, 'two alike are no answer');
});

test('a line is short, whatever the text is', () => {
  assert.equal(cutText('a\n b'), 'a b');
  assert.equal(cutText('x'.repeat(100000)).length, 161);
  assert.deepEqual(lineOf(tree.nodes[1]!, true), { role: 'LinearLayout', text: '', desc: '', id: '', flags: 'click' });
  assert.equal(labelOf(tree.nodes[0]!), '#list');
});

test('XML becomes the same shape, and keeps the refs of the compact tree', () => {
  const text = `<?xml version='1.0'?><hierarchy rotation="0">
    <node text="" resource-id="" class="android.widget.FrameLayout" content-desc="" clickable="false" enabled="true" bounds="[0,0][1080,2400]">
      <node text="a &lt;b&gt; &amp;#10; &#128512;" resource-id="android:id/title" class="" content-desc="" clickable="true" enabled="false" bounds="[0,0][500,100]" />
    </node></hierarchy>`;
  const full = parseXml(text, 'abc', tree);
  assert.deepEqual(full.nodes.map((node) => [node.ref, node.depth, node.text, node.flags]),
    [['#1', 0, undefined, []], ['#2', 1, 'a <b> &#10; 😀', ['clickable', 'disabled']]]);
  const named = buildTree({ hash: 'abc', nodes: [{ ref: '@1', id: 'android:id/title', class: '', bounds: [0, 0, 500, 100] }] });
  assert.deepEqual(parseXml(text, 'abc', named).nodes.map((node) => node.ref), ['#1', '@1']);
  assert.deepEqual(parseXml(text, 'other', named).nodes.map((node) => node.ref), ['#1', '#2']);
  assert.equal(decodeEntities('&unknown; &#x110000;'), '&unknown; &#x110000;');
});

test('a line of the XML leads to the node that begins there', () => {
  const text = '<?xml version="1.0"?>\n<hierarchy>\n  <node text="">\n    <node text="&lt;node &#10;" />\n  </node>\n</hierarchy>';
  const full = parseXml(text, 'abc', null);
  assert.deepEqual(linesOf(text).map(({ node }) => node), [undefined, undefined, 0, 1, undefined, undefined]);
  assert.equal(full.nodes[linesOf(text)[3]!.node!]!.text, '<node \n');
});

test('where a node is, in words', () => {
  assert.equal(boundsText({ ref: '@1', bounds: [1, 2, 11, 22] }), '1,2 – 11,22 (10\u00a0×\u00a020)');
  assert.equal(boundsText({ ref: '@1' }), undefined);
});
