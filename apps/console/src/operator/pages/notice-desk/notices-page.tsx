import './notice-desk.css';
import { useCan } from '@refinedev/core';
import { getNotice, listNotices } from '@yiqiao/contracts/operator/notices';
import { NOTICES_MOST } from '@yiqiao/domain/limits';
import { Button, Pagination } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ContentHeader } from '../../shared/content-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import type { Notice } from './fields.js';
import { NoticeEditor } from './notice-editor.js';

/** What the command line does is not told by an event. */
const AGAIN_MS = 30_000;
const PAGE_SIZE = 20;
const NEW = 'new';

const BADGES: Record<Notice['state'], string> = {
  draft: 'badge',
  scheduled: 'badge transfer',
  shown: 'badge increase',
  ended: 'badge',
  withdrawn: 'badge',
};

/** `11-09 10:00`; the year only of another one. */
const shortly = (wire: string): string =>
  wire.startsWith(String(new Date().getFullYear())) ? wire.slice(5, 16) : wire.slice(0, 10);

/** In the page's language, or in the other one. */
const titleOf = (notice: Notice): string | undefined =>
  [notice[language].title, notice.zh.title, notice.en.title].find((title) => title !== '');

function Item({ notice, current }: { notice: Notice; current: boolean }) {
  const t = useMessages('notice-desk');
  const { id, state, startsAt, changedAt, changedBy } = notice;
  const endsAt = notice.withdrawnAt ?? notice.endsAt;
  const title = titleOf(notice) ?? t('noTitle');
  return (
    <li>
      <Link to={`/notices/${id}`} aria-current={current ? 'true' : undefined}>
        <b>{title}</b>
        <span className={BADGES[state]}>
          {state === 'shown' && <Icon name="check" />}
          {t(`state_${state}`)}
        </span>
        <small className="numeric">
          {state === 'draft'
            ? t('changed', { at: shortly(changedAt), by: changedBy })
            : endsAt
              ? t('fromTo', { from: shortly(startsAt ?? changedAt), to: shortly(endsAt) })
              : t('fromOn', { from: shortly(startsAt ?? changedAt) })}
        </small>
      </Link>
    </li>
  );
}

function Chosen({ id, others }: { id: string; others: readonly Notice[] }) {
  const t = useMessages('notice-desk');
  const query = useEndpoint(getNotice, { id }, { refetchInterval: usePollInterval(AGAIN_MS) });
  return query.data ? (
    <NoticeEditor notice={query.data} others={others.filter((other) => String(other.id) !== id)} />
  ) : (
    <section className="card notice-editor">
      <Loaded query={query} rows={8} title={t('notFound')}>
        {() => null}
      </Loaded>
    </section>
  );
}

/** /notices and /notices/:id: what everybody who opens the site is told (operators §10; drawing 10). */
export default function NoticesPage() {
  const t = useMessages('notice-desk');
  const menu = useMessages('operator');
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const { data: may } = useCan({ resource: 'notices', action: 'notice.change' });
  const query = useEndpoint(
    listNotices,
    { pageNum: String(page), pageSize: String(PAGE_SIZE) },
    { refetchInterval: usePollInterval(AGAIN_MS) },
  );
  const { id } = useParams();
  const named = query.data?.rows.find((notice) => String(notice.id) === id);
  usePageTitle(id === NEW ? t('newNotice') : ((named && titleOf(named)) ?? menu('pageNotices')));
  const first = query.data?.rows[0]?.id;
  const chosen = id ?? (first === undefined ? undefined : String(first));
  const shown = query.data?.rows.filter(({ state }) => state === 'shown') ?? [];
  return (
    <>
      <ContentHeader note={t('note')}>
        <Button
          icon={<Icon name="add" />}
          disabled={!may?.can}
          title={may?.can ? undefined : may?.reason}
          onClick={() => void navigate(`/notices/${NEW}`)}
        >
          {t('newNotice')}
        </Button>
      </ContentHeader>
      <div className="notice-desk">
        <Card
          title={query.data ? t('count', { n: grouped(query.data.total) }) : t('listTitle')}
          note={t('most', { n: NOTICES_MOST })}
          className="notice-list"
        >
          <Loaded query={query}>
            {({ rows, total }) =>
              total === 0 ? (
                <Empty title={t('none')} />
              ) : (
                <>
                  <ul className="notice-items">
                    {rows.map((notice) => (
                      <Item key={notice.id} notice={notice} current={String(notice.id) === chosen} />
                    ))}
                  </ul>
                  {total > PAGE_SIZE && (
                    <Pagination
                      className="notice-pages"
                      size="small"
                      current={page}
                      pageSize={PAGE_SIZE}
                      total={total}
                      showSizeChanger={false}
                      itemRender={namedPages}
                      onChange={setPage}
                    />
                  )}
                </>
              )
            }
          </Loaded>
        </Card>
        {chosen === NEW && <NoticeEditor key={NEW} notice={null} others={shown} />}
        {chosen !== undefined && chosen !== NEW && <Chosen key={chosen} id={chosen} others={shown} />}
      </div>
    </>
  );
}
