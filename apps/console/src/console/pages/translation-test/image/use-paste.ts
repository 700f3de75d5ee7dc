import { useEffect, useEffectEvent } from 'react';

/** Calls `onPicture` with a picture that is pasted anywhere on the page, unless somebody is writing. */
export function usePaste(active: boolean, onPicture: (file: File) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    const writing = event.target instanceof HTMLElement && event.target.closest('input:not([type=range]), textarea');
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (writing || !file) return;
    event.preventDefault();
    onPicture(file);
  });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, [active]);
}
