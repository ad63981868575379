import { useState } from 'preact/hooks';
import { report } from '../state/messages.ts';

/** The old way: pages without TLS on another computer have no clipboard of their own. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copyBySelection(text)) throw new Error('The browser refused.');
    return true;
  } catch (problem) {
    report('The browser did not let the page copy', problem);
    return false;
  }
}

/** A text with a button that copies it. */
export function CodeBlock({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    window.setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="codeblock">
      <pre tabIndex={0}>{text}</pre>
      <button type="button" class="button small copy" aria-live="polite" onClick={copy}>{copied ? 'Copied' : label}</button>
    </div>
  );
}
