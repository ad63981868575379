import { Empty } from '../widgets/Notice.tsx';

export function SkillsPage() {
  return <Empty title="Skills">This part is not built yet.</Empty>;
}
