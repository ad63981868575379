import { Empty } from '../widgets/Notice.tsx';

export function AgentSkillsPage() {
  return <Empty title="Agent skills">This part is not built yet.</Empty>;
}
