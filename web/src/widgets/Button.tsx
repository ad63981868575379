import type { ComponentChildren, JSX } from 'preact';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

interface Props extends Omit<JSX.IntrinsicElements['button'], 'size' | 'icon'> {
  kind?: Kind;
  small?: boolean;
  icon?: boolean;
  pressed?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = 'plain', small, icon, pressed, class: extra, children, ...rest }: Props) {
  const names = ['button', kind === 'plain' ? '' : kind, small ? 'small' : '', icon ? 'icon' : '', extra ?? ''];
  return (
    <button type="button" class={names.filter(Boolean).join(' ')} aria-pressed={pressed} {...rest}>{children}</button>
  );
}
