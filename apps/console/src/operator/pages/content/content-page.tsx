import './content.css';
import { getDocument, listDocuments } from '@yiqiao/contracts/operator/documents';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Link, useParams } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ContentHeader } from '../../shared/content-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { DocumentEditor } from './document-editor.js';
import { isKnown } from './kinds.js';
import { TryAccount } from './try-account.js';

/** What the command line does is not told by an event. */
const AGAIN_MS = 30_000;

function Others({ current }: { current: string }) {
  const t = useMessages('content');
  const query = useEndpoint(listDocuments, {});
  return (
    <Card title={t('others')} note={t('othersNote')}>
      <Loaded query={query} rows={3}>
        {({ rows }: Response<typeof listDocuments>) => (
          <dl className="facts card-body">
            {rows
              .filter(({ id }) => id !== current)
              .map(({ id, changedAt }) => (
                <div key={id}>
                  <dt>
                    <Link className="link" to={`/content/${id}`}>
                      {isKnown(id) ? t(`name_${id}`) : id}
                    </Link>
                    {isKnown(id) && <code className="faint document-id">{id}</code>}
                  </dt>
                  <dd className="numeric faint document-day">
                    {changedAt === null ? t('neverSaved') : changedAt.slice(0, 10)}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </Loaded>
    </Card>
  );
}

/** /content/:document: the documents of the site, as forms and as they are stored (operators §10; drawing 10b). */
export default function ContentPage() {
  const t = useMessages('content');
  const menu = useMessages('operator');
  const { document: id = '' } = useParams();
  usePageTitle(isKnown(id) ? t(`name_${id}`) : menu('pageContent'));
  const query = useEndpoint(getDocument, { id }, { refetchInterval: usePollInterval(AGAIN_MS) });
  const document = query.data;
  return (
    <>
      <ContentHeader note={t(id === 'CUSTOMER_SERVICE' ? 'noteService' : 'note')} />
      <div className="grid">
        {document && !document.hidden ? (
          <DocumentEditor key={document.id} document={document}>
            {id === 'CUSTOMER_SERVICE' && <TryAccount />}
            <Others current={id} />
          </DocumentEditor>
        ) : (
          <>
            <section className="card span-8">
              {document ? (
                <Empty title={t('hidden')} />
              ) : (
                <Loaded query={query} rows={8} title={t('notFound')}>
                  {() => null}
                </Loaded>
              )}
            </section>
            <div className="span-4 content-column">
              <Others current={id} />
            </div>
          </>
        )}
      </div>
    </>
  );
}
