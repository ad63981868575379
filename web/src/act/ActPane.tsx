import { Empty } from '../widgets/Notice.tsx';

export function ActPane() {
  return <Empty title="Act">This part is not built yet.</Empty>;
}
