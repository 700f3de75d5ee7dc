/** What a panel shows in the place of its data (OPERATOR.md §8). */
import type { ReactNode } from 'react';
import { messageOf } from '../../shared/api/api-error.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import { TableSkeleton } from '../../shared/ui/table-skeleton.js';
import { OperatorApiError } from './api/send.js';

/** A panel whose data did not come: why, the request's id, and the way to ask again. */
export function LoadError({ title, error, onReload }: { title?: ReactNode; error: unknown; onReload: () => void }) {
  const t = useMessages('operator');
  const id = error instanceof OperatorApiError ? error.requestId : null;
  return (
    <ErrorState title={title} onReload={onReload}>
      {messageOf(error)}
      {id !== null && (
        <>
          {' '}
          {t('requestId')} <code>{id}</code>
        </>
      )}
    </ErrorState>
  );
}

type Query<T> = { data: T | undefined; isError: boolean; error: unknown; refetch: () => unknown };

/** A skeleton, the failure, or `children` with the data; data that is there stays while it is read again. */
export function Loaded<T>(props: {
  query: Query<T>;
  rows?: number;
  title?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, rows = 4, title, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <LoadError title={title} error={query.error} onReload={() => void query.refetch()} />;
  return <TableSkeleton rows={rows} />;
}
