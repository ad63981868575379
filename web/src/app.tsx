/** The frame of the page: header, device shelf, the three pages, messages. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { AgentSkillsPage } from './agentskills/AgentSkillsPage.tsx';
import { connectEvents, connection, disconnectEvents } from './api/events.ts';
import { beginSession, session, sessionFailure } from './api/session.ts';
import { KeyList } from './keys/KeyList.tsx';
import { watchKeys } from './keys/keys.ts';
import { ScreenPage } from './screen/ScreenPage.tsx';
import { Shelf } from './shelf/Shelf.tsx';
import { SkillsPage } from './skills/SkillsPage.tsx';
import { watchActivity } from './state/activity.ts';
import { loadDevices, watchDevices } from './state/devices.ts';
import { keysShown, page, type Page } from './state/layout.ts';
import { closeMessage, messages } from './state/messages.ts';
import { watchRefresh } from './state/refresh.ts';
import { watchScreen } from './state/screen.ts';
import { theme, type Theme } from './state/settings.ts';
import { TokenEntry } from './TokenEntry.tsx';
import { Button } from './widgets/Button.tsx';
import { FailureNotice, Notice } from './widgets/Notice.tsx';
import { Tabs } from './widgets/Tabs.tsx';

const PAGES: { id: Page; name: string }[] = [
  { id: 'screen', name: 'Screen' },
  { id: 'skills', name: 'Skills' },
  { id: 'agent-skills', name: 'Agent skills' },
];

function start() {
  watchActivity();
  watchDevices();
  watchScreen();
  watchRefresh();
  watchKeys();
  void beginSession();
  effect(() => {
    if (session.value === 'ready') {
      void loadDevices();
      connectEvents();
    } else {
      disconnectEvents();
    }
  });
}

function Connection() {
  if (session.value !== 'ready' || connection.value === 'open') return null;
  return <span class="badge warn" role="status">events: connecting</span>;
}

function ThemeSwitch() {
  return (
    <label class="row theme-switch">
      <span class="unseen">Theme</span>
      <select value={theme.value} onChange={(event) => {
        theme.value = event.currentTarget.value as Theme;
      }}>
        <option value="system">Theme: system</option>
        <option value="light">Theme: light</option>
        <option value="dark">Theme: dark</option>
      </select>
    </label>
  );
}

function Header() {
  return (
    <header class="top">
      <h1 class="brand"><img src="/ui/icon.svg" alt="" width="22" height="22" />Clawperator</h1>
      {session.value === 'ready' && <Tabs label="Pages" tabs={PAGES} selected={page.value} onSelect={(id) => {
        page.value = id;
      }} />}
      <span class="grow" />
      <Connection />
      <ThemeSwitch />
      <Button kind="quiet" onClick={() => {
        keysShown.value = true;
      }} title="Keys (?)" aria-label="Keys"><span class="keys-word">Keys</span> <kbd>?</kbd></Button>
    </header>
  );
}

function Messages() {
  return (
    <div class="messages" aria-live="polite">
      {messages.value.map(({ id, tone, text, failure }) => failure
        ? <FailureNotice key={id} what={text} failure={failure} onClose={() => closeMessage(id)} />
        : <Notice key={id} tone={tone} onClose={() => closeMessage(id)}>{text}</Notice>)}
    </div>
  );
}

function CurrentPage() {
  switch (page.value) {
    case 'screen': return <ScreenPage />;
    case 'skills': return <SkillsPage />;
    case 'agent-skills': return <AgentSkillsPage />;
  }
}

function Body() {
  if (session.value === 'token') return <main class="alone"><TokenEntry /></main>;
  if (session.value === 'unreachable')
    return <main class="alone"><FailureNotice what="The page cannot start" failure={sessionFailure.value!} /></main>;
  if (session.value === 'starting') return <main class="alone" aria-busy="true"><span class="spinner" /></main>;
  return (
    <div class="body">
      <Shelf />
      <main>
        <div class="page" id={`panel-${page.value}`} role="tabpanel" aria-labelledby={`tab-${page.value}`}><CurrentPage /></div>
      </main>
    </div>
  );
}

export function App() {
  useEffect(start, []);
  return (
    <div class="app">
      <Header />
      <Body />
      <Messages />
      {keysShown.value && <KeyList />}
    </div>
  );
}
