/** The time, once a second, for ages that the page shows. */
import { signal } from '@preact/signals';

export const now = signal(Date.now());
window.setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
