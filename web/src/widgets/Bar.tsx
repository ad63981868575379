export interface Part {
  name: string;
  value: number;
}

// Neither of them means good or bad.
const COLOURS = ['var(--accent)', 'var(--mark)', 'var(--line-strong)', 'var(--ok)', 'var(--part)', 'var(--muted)'];

/** Parts of a whole, side by side in their order. Those of one name have one colour, and their sum in the legend. */
export function Bar({ parts, label, labelOf }: { parts: Part[]; label: string; labelOf: (value: number) => string }) {
  const shown = parts.filter((part) => part.value > 0);
  const sums = new Map<string, number>();
  for (const { name, value } of shown) sums.set(name, (sums.get(name) ?? 0) + value);
  const names = [...sums.keys()];
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  const colour = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length];
  return (
    <div class="stack" role="group" aria-label={label}>
      <div class="bar" aria-hidden="true">
        {shown.map(({ name, value }, at) => <i key={at} style={{ width: `${(100 * value) / total}%`, background: colour(name) }} />)}
      </div>
      <div class="bar-legend">
        {names.map((name) => <span key={name}><i style={{ background: colour(name) }} />{name} {labelOf(sums.get(name)!)}</span>)}
      </div>
    </div>
  );
}
