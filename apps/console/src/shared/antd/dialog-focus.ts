/**
 * antd's dialogs and drawers take the focus with an element that has no name, and end with an empty one, so that Tab stays inside. This moves
 * the focus on: to the first field or the heading of a dialog that opens, and around its ends.
 */
const SENTINEL = '.ant-modal > [tabindex="0"], .ant-drawer > [tabindex="0"], .ant-drawer[tabindex="-1"]';
const TABBABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
const FIELD = 'input:not([type=radio], [type=checkbox], [type=file]), textarea';

/** On touch screens a focused field opens the keyboard over the dialog. */
const withKeyboard = matchMedia('(hover: hover)');

function tabbableIn(dialog: Element, selector = TABBABLE): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(selector)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(`:disabled, ${SENTINEL}`) &&
      element.checkVisibility({ visibilityProperty: true }),
  );
}

function enter(dialog: Element): void {
  const body = dialog.querySelector('.ant-modal-body, .ant-drawer-body');
  const field = body && withKeyboard.matches ? tabbableIn(body, FIELD)[0] : undefined;
  const heading = dialog.querySelector<HTMLElement>('.ant-modal-title, .ant-drawer-title');
  if (!field && heading) heading.tabIndex = -1;
  (field ?? heading)?.focus({ preventScroll: true });
}

export function moveFocusOfDialogs(): void {
  /** The last key or pointer press: a press on a dialog's text focuses the element around it, which must not move the focus. */
  let last: Event | null = null;
  const remember = (event: Event): void => void (last = event);
  document.addEventListener('keydown', remember, true);
  document.addEventListener('pointerdown', remember, true);
  document.addEventListener('focusin', ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement) || !target.matches(SENTINEL)) return;
    const dialog = target.closest('.ant-modal, .ant-drawer');
    if (!dialog) return;
    const isInside = relatedTarget instanceof Node && dialog.contains(relatedTarget);
    if (isInside && last instanceof KeyboardEvent && last.key === 'Tab')
      tabbableIn(dialog)
        .at(last.shiftKey ? -1 : 0)
        ?.focus();
    else if (!isInside && !(last?.type === 'pointerdown' && dialog.contains(last.target as Node))) enter(dialog);
  });
}
