/** The rows that a scrolled list must draw. No DOM here. */

export interface Window {
  start: number;
  end: number;
}

const SPARE_ROWS = 8;

export function windowOf(scrollTop: number, height: number, rowHeight: number, count: number): Window {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight) - SPARE_ROWS;
  const last = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight) + SPARE_ROWS;
  const start = Math.min(Math.max(0, first), count);
  return { start, end: Math.max(start, Math.min(count, last)) };
}

/** The scroll position that shows the row, as near to the present one as it goes. */
export function scrollToRow(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height;
  return scrollTop;
}
