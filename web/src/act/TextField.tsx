import type { JSX } from 'preact';

interface Props extends Omit<JSX.IntrinsicElements['input'], 'type' | 'role' | 'list' | 'value' | 'onInput'> {
  secret: boolean;
  value: string;
  onText: (text: string) => void;
}

/** A line of text, hidden where it is a secret. What was typed stays when that changes. */
export function TextField({ secret, onText, ...rest }: Props) {
  const take = (event: Event) => onText((event.currentTarget as HTMLInputElement).value);
  const more = { ...rest, autocomplete: 'off' as const, spellcheck: false, onInput: take };
  return secret ? <input {...more} type="password" /> : <input {...more} type="text" />;
}
