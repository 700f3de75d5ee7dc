import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { Pagination, Table } from 'antd';
import { useState } from 'react';
import { locale } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { labelled, type Column } from '../../shared/table/labelled.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { ListArea, ListPlace } from '../../shared/table/list-area.js';
import { Empty } from '../../../shared/ui/empty.js';
import { contactsOf, type Contact, type Space } from './sample.js';

const countries = new Intl.DisplayNames([locale], { type: 'region' });

type ContactsProps = { space: Space; first: Space; onChoose: (space: Space) => void };

/** The contacts of a space (specification §2), ten a page. */
export function Contacts({ space, first, onChoose }: ContactsProps) {
  const t = useMessages('workspace');
  const [page, setPage] = useState(1);
  const contacts = contactsOf(space);
  const columns: Column<Contact>[] = [
    {
      key: 'title',
      title: t('contactsTitle'),
      rowScope: 'row',
      render: (_, { title }) => <span className="dynamic-text">{title}</span>,
    },
    { key: 'cellphone', title: t('cellphone'), render: (_, row) => <span className="numeric">{row.cellphone}</span> },
    { key: 'company', title: t('company'), dataIndex: 'company' },
    { key: 'step', title: t('step'), render: (_, { step }) => t(step) },
    { key: 'country', title: t('country'), render: (_, { country }) => countries.of(country) ?? country },
    {
      key: 'tags',
      title: t('tags'),
      render: (_, { tags }) => (
        <span className="ws-labels">
          {tags.length === 0 && <span className="faint">{t('none')}</span>}
          {tags.map((tag) => (
            <span key={tag} className="badge">
              {t(tag)}
            </span>
          ))}
        </span>
      ),
    },
    { key: 'fromApp', title: t('fromApp'), dataIndex: 'fromApp' },
  ];
  return (
    <section className="card lt-card" aria-label={t('contacts')}>
      {contacts.length === 0 ? (
        <ListPlace>
          <Empty
            title={t('emptyTitle')}
            action={
              <button type="button" className="button button-primary" onClick={() => onChoose(first)}>
                {t('emptyAction', { name: t(first.name) })}
              </button>
            }
          >
            {t('emptyWhy')}
          </Empty>
        </ListPlace>
      ) : (
        <>
          <ListArea label={t('contacts')}>
            <Table<Contact>
              className="lt-table ws-table"
              rowKey="id"
              dataSource={contacts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
              columns={labelled(columns)}
              pagination={false}
            />
          </ListArea>
          <Pagination
            className="lt-pages"
            current={page}
            pageSize={PAGE_SIZE}
            total={contacts.length}
            showSizeChanger={false}
            showTotal={(n) => t('total', { n })}
            itemRender={namedPages}
            onChange={setPage}
          />
        </>
      )}
    </section>
  );
}
