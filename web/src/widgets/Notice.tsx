import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/client.ts';

interface Props {
  tone?: 'info' | 'ok' | 'warn' | 'bad';
  title?: string;
  children?: ComponentChildren;
  /** Buttons below the text. */
  actions?: ComponentChildren;
  onClose?: () => void;
}

export function Notice({ tone = 'info', title, children, actions, onClose }: Props) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div class="body">
        {title && <strong>{title}</strong>}
        {children}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {onClose && <button type="button" class="button quiet icon small" aria-label="Close" onClick={onClose}>×</button>}
    </div>
  );
}

/** A text of the page or the server in which backticks stand around code. */
export function Words({ text }: { text: string }) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>;
}

/** A failed request: what did not work, the code, the message, and the hint. */
export function FailureNotice({ what, failure, actions, onClose }:
  { what?: string; failure: Failure; actions?: ComponentChildren; onClose?: () => void }) {
  return (
    <Notice tone="bad" title={what} actions={actions} onClose={onClose}>
      <span><span class="code">{failure.code}</span> {failure.message}</span>
      {failure.hint && <span class="hint"><Words text={failure.hint} /></span>}
    </Notice>
  );
}

/** What a pane shows while it has nothing: what is missing, and what to do. */
export function Empty({ title, children, actions }:
  { title: string; children?: ComponentChildren; actions?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div class="row wrap">{actions}</div>}
    </div>
  );
}
