/** Whether the main button of the mouse, a finger or a pen is down. */
let isPressed = false;
let waiting: (() => void)[] = [];

function press({ button, isPrimary }: PointerEvent): void {
  if (button === 0 && isPrimary) isPressed = true;
}

function release(): void {
  isPressed = false;
  const late = waiting;
  waiting = [];
  // At once, as the click that follows may submit the form; what it clicks on is settled by now.
  late.forEach((run) => run());
}

if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', press, true);
  // After the last four no release may come: a scroll or drag, a menu of the system, another window or frame, a key.
  for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'keydown'])
    document.addEventListener(end, release, true);
  window.addEventListener('blur', release);
}

/**
 * Runs now, or, while something is pressed, once it is released. A message that appears or goes when a field is left moves what is below it:
 * between press and release it would move it from under the pointer, and the click would be lost.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}
