import { Button } from 'antd';
import type { ReactNode } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { ListPlace } from '../table/list-area.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';

/** The part of Refine's query that is used here. */
type Query = { isError: boolean; error: unknown; data?: { total: number } | undefined; refetch: () => unknown };

type ListMessageProps = {
  query: Query;
  skeleton: { rows: number; columns: number };
  /** The error message; by default the log's. */
  failed?: { title: string; why: (why: string) => string };
  toFirst: () => void;
  /** The message of an empty list. */
  children: ReactNode;
};

function Message({ query, skeleton, failed, toFirst, children }: ListMessageProps) {
  const t = useMessages('logs');
  if (query.isError) {
    const why = messageOf(query.error)?.replace(/[。.]$/, ''); // null: already shown at the top of the page
    return (
      <ErrorState title={failed?.title ?? t('failed')} onReload={() => void query.refetch()}>
        {why && (failed?.why(why) ?? t('failedWhy', { why }))}
      </ErrorState>
    );
  }
  if (!query.data) return <TableSkeleton {...skeleton} />;
  const { total } = query.data;
  if (total > 0)
    return (
      <Empty title={t('pastEnd')} action={<Button onClick={toFirst}>{t('toFirst')}</Button>}>
        {t('pastEndWhy', { n: grouped(total) })}
      </Empty>
    );
  return children;
}

/** Replaces the rows when there are none to show (DESIGN §4). */
export const ListMessage = (props: ListMessageProps) => (
  <ListPlace>
    <Message {...props} />
  </ListPlace>
);
