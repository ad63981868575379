/** The parts of a node's line, as the compact format of the server words them. No DOM here. */
import { cutText, hasFlag, shortName, type RawNode } from './model.ts';

const WORDS: [flag: string, word: string][] = [
  ['clickable', 'click'], ['long-clickable', 'long'], ['editable', 'edit'], ['scrollable', 'scroll'], ['checkable', 'check'],
  ['checked', 'checked'], ['selected', 'selected'], ['focused', 'focused'], ['password', 'password'], ['disabled', 'disabled'],
  ['invisible', 'invisible'],
];

export interface Line {
  role: string;
  text: string;
  desc: string;
  id: string;
  flags: string;
}

export function lineOf(node: RawNode, full: boolean): Line {
  const role = full || !node.role ? shortName(node.class ?? '') : node.role;
  const desc = node.desc && node.desc !== node.text ? cutText(node.desc) : '';
  return {
    role,
    text: node.text ? cutText(node.text) : '',
    desc,
    id: node.id ? shortName(node.id) : '',
    flags: WORDS.filter(([flag]) => hasFlag(node, flag)).map(([, word]) => word).join(' '),
  };
}
