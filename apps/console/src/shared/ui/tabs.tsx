import './tabs.css';
import { useId, type KeyboardEvent, type ReactNode } from 'react';

type Tab = { id: number; name: string };

type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  current: number;
  onChange: (id: number) => void;
  /** Content of the current tab. */
  children: ReactNode;
};

/** The tab that each key moves to; the row wraps around. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A tab list over the current panel: arrow keys move along it, Tab leaves it (WAI-ARIA). */
export function Tabs({ label, tabs, current, onChange, children }: TabsProps) {
  const base = useId();
  const go = (event: KeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ id }) => id === current);
    const next = tabs[STEPS[event.key]?.(at, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    onChange(next.id);
    document.getElementById(`${base}${next.id}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={go}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}${id}`}
            aria-selected={id === current}
            aria-controls={`${base}panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${base}panel`} aria-labelledby={`${base}${current}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
