import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
}

/** A modal dialog; Esc closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, footer }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onCancel={(event) => {
      event.preventDefault();
      onClose();
    }}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={onClose}>×</button>
      </header>
      <div class="content" tabIndex={0}>{children}</div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
}
