interface Props<T extends string> {
  label: string;
  tabs: { id: T; name: string }[];
  selected: T;
  onSelect: (id: T) => void;
  /** The panel of a tab has the id `panel-ID`. */
  prefix?: string;
}

export function Tabs<T extends string>({ label, tabs, selected, onSelect, prefix = '' }: Props<T>) {
  const move = (event: KeyboardEvent, step: number) => {
    const index = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length]!;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${prefix}tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={(event) => {
      if (event.key === 'ArrowRight') move(event, 1);
      if (event.key === 'ArrowLeft') move(event, -1);
    }}>
      {tabs.map((tab) => (
        <button key={tab.id} type="button" role="tab" id={`${prefix}tab-${tab.id}`}
          aria-controls={tab.id === selected ? `${prefix}panel-${tab.id}` : undefined}
          aria-selected={tab.id === selected} tabIndex={tab.id === selected ? 0 : -1} onClick={() => onSelect(tab.id)}>
          {tab.name}
        </button>
      ))}
    </div>
  );
}

/** A choice of a few, all visible. */
export function Segments<T extends string | number>({ label, choices, selected, onSelect }:
  { label: string; choices: { id: T; name: string; title?: string }[]; selected: T; onSelect: (id: T) => void }) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button key={choice.id} type="button" title={choice.title} aria-pressed={choice.id === selected}
          onClick={() => onSelect(choice.id)}>{choice.name}</button>
      ))}
    </div>
  );
}
