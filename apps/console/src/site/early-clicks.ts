import { useEffect } from 'react';

/** Tells public/first-paint.js, which kept the last click before hydration, that clicks are handled now. */
export function EarlyClicks(): null {
  useEffect(() => void document.dispatchEvent(new Event('clicks-handled')), []);
  return null;
}
