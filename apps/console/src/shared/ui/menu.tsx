/** A menu under a button: arrow keys move, Escape and an outside click close, focus returns to the button. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

type MenuProps = {
  /** The menu's purpose, announced together with the button's text. */
  label: string;
  button: ReactNode;
  buttonClass: string;
  children: ReactNode;
};

const itemsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
];

function walk(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = itemsOf(list);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined || items.length === 0) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}

export function Menu({ label, button, buttonClass, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    itemsOf(list.current)[0]?.focus();
    const closeOutside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const close = (): void => {
    setOpen(false);
    trigger.current?.focus();
  };

  return (
    <div
      className="menu"
      ref={root}
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close();
        else if (open) walk(event, list.current);
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        type="button"
        ref={trigger}
        className={buttonClass}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className="visually-hidden">{label}</span>
        {button}
      </button>
      {open && (
        <div className="menu-list" role="menu" id={id} aria-label={label} ref={list} onClick={close}>
          {children}
        </div>
      )}
    </div>
  );
}

export function MenuItem(props: { current?: boolean; onSelect: () => void; children: ReactNode }) {
  const { current, onSelect, children } = props;
  return (
    <button
      type="button"
      role={current === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={current}
      tabIndex={-1}
      onClick={onSelect}
    >
      {children}
    </button>
  );
}
