export interface Part {
  name: string;
  value: number;
  /** As it is shown in the legend. */
  label: string;
}

const COLOURS = ['var(--accent)', 'var(--mark)', 'var(--ok)', 'var(--line-strong)', 'var(--warn)', 'var(--bad)', 'var(--muted)'];

/** Parts of a whole, side by side, with a legend. */
export function Bar({ parts, label }: { parts: Part[]; label: string }) {
  const shown = parts.filter((part) => part.value > 0);
  const sum = shown.reduce((total, part) => total + part.value, 0);
  const colour = (index: number) => COLOURS[index % COLOURS.length];
  return (
    <div class="stack" role="group" aria-label={label}>
      <div class="bar" aria-hidden="true">
        {shown.map((part, index) => (
          <i key={part.name} style={{ width: `${(100 * part.value) / sum}%`, background: colour(index) }} />
        ))}
      </div>
      <div class="bar-legend">
        {shown.map((part, index) => (
          <span key={part.name}><i style={{ background: colour(index) }} />{part.name} {part.label}</span>
        ))}
      </div>
    </div>
  );
}
