import { useId, type ReactNode } from 'react';

type CardProps = { title?: ReactNode; note?: ReactNode; className?: string; children: ReactNode };

/** A panel with a hairline border. With a title it is a named region. */
export function Card({ title, note, className = '', children }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="card-head">
          <h2 id={id}>{title}</h2>
          {note && <small>{note}</small>}
        </div>
      )}
      {children}
    </section>
  );
}
