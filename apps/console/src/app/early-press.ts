import { useEffect } from 'react';

/** Beside a page that was just taken over: tells public/arrival.js, which kept what was pressed before. */
export function EarlyPress(): null {
  useEffect(() => void document.dispatchEvent(new Event('presses-heard')), []);
  return null;
}
