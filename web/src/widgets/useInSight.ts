/** Brings an element into sight once what it waits for is there; what was there before it was shown stays where it is. */
import { useEffect, useRef } from 'preact/hooks';

export function useInSight(isDone: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const waited = useRef(false);
  useEffect(() => {
    if (isDone && waited.current) element.current!.scrollIntoView({ block: 'nearest' });
    waited.current = !isDone;
  }, [isDone]);
  return element;
}
