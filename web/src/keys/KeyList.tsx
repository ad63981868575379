import { keysShown } from '../state/layout.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { KEYS } from './keys.ts';

export function KeyList() {
  return (
    <Dialog title="Keys" onClose={() => {
      keysShown.value = false;
    }}>
      {KEYS.map(({ place, list }) => (
        <section class="key-group" key={place}>
          <h3>{place}</h3>
          <dl>
            {list.map(({ keys, what }) => (
              <div key={what}>
                <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
