import { Empty } from '../widgets/Notice.tsx';

export function StepsPane() {
  return <Empty title="Steps">This part is not built yet.</Empty>;
}
