/** A scrolled list of rows of one height: which of them are drawn. */
import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { scrollToRow, windowOf } from './window.ts';

/** `target` is the row to keep in sight, or -1. */
export function useRows(rowHeight: number, count: number, target: ReadonlySignal<number>) {
  const element = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const list = element.current!;
    const observer = new ResizeObserver(() => {
      height.value = list.clientHeight;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  useSignalEffect(() => {
    const row = target.value;
    const list = element.current;
    if (row < 0 || !list) return;
    // The list may have grown in this very turn: scroll once it is laid out.
    requestAnimationFrame(() => {
      list.scrollTop = scrollToRow(row, list.scrollTop, list.clientHeight, rowHeight);
    });
  });
  const onScroll = () => {
    top.value = element.current!.scrollTop;
  };
  return { element, onScroll, page: Math.max(1, Math.floor(height.value / rowHeight) - 1),
    ...windowOf(top.value, height.value, rowHeight, count) };
}
