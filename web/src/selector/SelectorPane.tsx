import { Empty } from '../widgets/Notice.tsx';

export function SelectorPane() {
  return <Empty title="Selector">This part is not built yet.</Empty>;
}
