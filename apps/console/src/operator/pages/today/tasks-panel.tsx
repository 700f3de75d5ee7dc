import { useResourceParams } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listTasks } from '@yiqiao/contracts/operator/today';
import { useState } from 'react';
import { Link } from 'react-router';
import { yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { EndpointQuery } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { useAge } from '../../shared/age.js';

type Task = Response<typeof listTasks>['tasks'][number];

const LOOKS = {
  request: { icon: 'stamp', look: 'hand' },
  payment: { icon: 'card', look: 'bad' },
  inviteReward: { icon: 'users', look: 'warning' },
  invoice: { icon: 'list', look: 'warning' },
} as const satisfies Record<Task['kind'], { icon: IconName; look: string }>;

const SHOWN = 6;

function Row({ task }: { task: Task }) {
  const t = useMessages('today');
  const age = useAge();
  const { icon, look } = LOOKS[task.kind];
  const { leftSeconds, waitedSeconds, amount } = task;
  const { resource } = useResourceParams({ resource: 'requests' });
  const page = task.kind === 'request' && typeof resource?.show === 'string' && resource.show.replace(':id', task.id);
  return (
    <li data-row>
      <span className={`task-icon ${look}`}>
        <Icon name={icon} />
      </span>
      <div className="task-text">
        <b>{task.title}</b>
        {task.note && <small className="numeric dynamic-text">{task.note}</small>}
      </div>
      <span className="task-amount">{amount !== null && `¥${yuan(amount)}`}</span>
      <time className="task-age numeric" title={task.since}>
        {leftSeconds !== null ? t('left', { age: age(leftSeconds) }) : t('waited', { age: age(waitedSeconds) })}
      </time>
      {page && (
        <Link className="button button-default button-small" to={page}>
          {t('toRequest')}
        </Link>
      )}
    </li>
  );
}

/** A deadline first, then money, then age; only what this role may do. */
export function TasksPanel({ query }: { query: EndpointQuery<typeof listTasks> }) {
  const t = useMessages('today');
  const [all, setAll] = useState(false);
  const total = query.data?.total ?? 0;
  return (
    <Card title={t('first')} note={total > 0 && t('firstNote', { n: total })}>
      <Loaded query={query}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Empty state="done" title={t('firstEmpty')}>
              {t('firstEmptyWhy')}
            </Empty>
          ) : (
            <>
              <ol className="tasks">
                {tasks.slice(0, all ? undefined : SHOWN).map((task) => (
                  <Row key={`${task.kind}-${task.id}`} task={task} />
                ))}
              </ol>
              {!all && total > SHOWN && (
                <p className="panel-foot">
                  <button type="button" className="link link-button" onClick={() => setAll(true)}>
                    {t('more', { n: total - SHOWN })}
                  </button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
