import { ActPane, useActKeys } from '../act/ActPane.tsx';
import { SelectorPane } from '../selector/SelectorPane.tsx';
import { layout, pane, shownPane, tabbedPanes, type Pane } from '../state/layout.ts';
import { StepsPane } from '../steps/StepsPane.tsx';
import { TreePane } from '../tree/TreePane.tsx';
import { Tabs } from '../widgets/Tabs.tsx';
import { PicturePane } from './PicturePane.tsx';

const NAMES: Record<Pane, string> = { picture: 'Picture', tree: 'Tree', selector: 'Selector', act: 'Act', steps: 'Steps' };

function paneOf(id: Pane) {
  switch (id) {
    case 'picture': return <PicturePane />;
    case 'tree': return <TreePane />;
    case 'selector': return <SelectorPane />;
    case 'act': return <ActPane />;
    case 'steps': return <StepsPane />;
  }
}

/** The panes beside each other; those that find no room share one place with tabs. */
export function ScreenPage() {
  useActKeys();
  const tabbed = tabbedPanes.value;
  const fixed = (['picture', 'tree'] as Pane[]).filter((id) => !tabbed.includes(id));
  return (
    <div class={`panes ${layout.value}`}>
      {fixed.map((id) => <section key={id} class={`pane ${id}-pane`} aria-label={NAMES[id]}>{paneOf(id)}</section>)}
      <div class="pane tabbed-pane">
        <Tabs label="Panes" prefix="pane-" tabs={tabbed.map((id) => ({ id, name: NAMES[id] }))} selected={shownPane.value}
          onSelect={(id) => {
            pane.value = id;
          }} />
        <section class={`tab-body ${shownPane.value}-pane`} id={`pane-panel-${shownPane.value}`} role="tabpanel"
          aria-labelledby={`pane-tab-${shownPane.value}`}>{paneOf(shownPane.value)}</section>
      </div>
    </div>
  );
}
