import { useEffect, useState } from 'react';
import { useMessages } from '../i18n/messages.js';

const DELAY_MS = 200;
const WIDTHS = ['34%', '62%', '48%', '76%', '55%'];

/** Skeleton rows of the final height while a table loads, shown after 200 ms so that fast responses do not flicker (DESIGN §4). */
export function TableSkeleton({ rows = 6, columns = 5 }: { rows?: number; columns?: number }) {
  const t = useMessages('shared');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="table-skeleton" role="status" style={{ minHeight: rows * 52 }}>
      <span className="visually-hidden">{t('loading')}</span>
      {shown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className="table-skeleton-row" aria-hidden="true">
            {Array.from({ length: columns }, (_, column) => (
              <i key={column} className="skeleton" style={{ width: WIDTHS[(row + column) % WIDTHS.length] }} />
            ))}
          </div>
        ))}
    </div>
  );
}
