import type { ReactNode } from 'react';

/** Title of a console page, a note below it and actions at the right. Names in it are wrapped in `<span className="dynamic-text">`. */
export function PageHeader({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className="page-header">
      <div>
        <h1>{title}</h1>
        {note && <div className="page-header-note">{note}</div>}
      </div>
      {children && <div className="page-header-actions">{children}</div>}
    </header>
  );
}
