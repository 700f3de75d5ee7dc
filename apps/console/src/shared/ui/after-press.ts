/** Whether a mouse button, a finger or a pen is down. */
let isPressed = false;
let waiting: (() => void)[] = [];

function press(): void {
  isPressed = true;
}

function release(): void {
  isPressed = false;
  const late = waiting;
  waiting = [];
  // The click that this release makes comes before any timer.
  if (late.length > 0) setTimeout(() => late.forEach((run) => run()));
}

if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', press, true);
  document.addEventListener('pointerup', release, true);
  document.addEventListener('pointercancel', release, true);
}

/**
 * Runs now, or, while something is pressed, once it is released. A message that appears or goes when a field is left moves what is below it:
 * between press and release it would move it from under the pointer, and the click would be lost.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}
