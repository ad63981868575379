/** The list of steps. The steps pane owns its shape. */
import { signal } from '@preact/signals';

export const steps = signal<unknown[]>([]);
