/** The token, sent once for a cookie. It stands in no URL and is not stored. */
import { useState } from 'preact/hooks';
import { toFailure, type Failure } from './api/client.ts';
import { signIn } from './api/session.ts';
import { Button } from './widgets/Button.tsx';
import { FailureNotice } from './widgets/Notice.tsx';

export function TokenEntry() {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    try {
      await signIn(token.trim());
    } catch (problem) {
      setFailure(toFailure(problem));
    }
    setSending(false);
  };
  return (
    <form class="token panel" onSubmit={send}>
      <h2>The server wants its token</h2>
      <p class="muted">
        <code>clawperator serve</code> prints the path of the file that has the token, or you chose one by <code>--token-file</code>.
      </p>
      <label class="stack">
        <span>Token</span>
        <input type="password" class="mono" autocomplete="current-password" spellcheck={false} autofocus required value={token}
          onInput={(event) => setToken(event.currentTarget.value)} />
      </label>
      {failure && <FailureNotice what="The server did not accept it" failure={failure} />}
      <div class="row"><Button kind="primary" type="submit" disabled={sending || !token.trim()}>{sending ? 'Sending…' : 'Open'}</Button></div>
    </form>
  );
}
