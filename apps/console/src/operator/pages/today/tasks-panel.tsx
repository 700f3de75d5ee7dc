import type { Response } from '@yiqiao/contracts/endpoint';
import { type listTasks, TASK_KINDS } from '@yiqiao/contracts/operator/today';
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

type Answer = Response<typeof listTasks>;
type Task = Answer['tasks'][number];

const LOOKS = {
  request: { icon: 'stamp', look: 'hand' },
  payment: { icon: 'card', look: 'bad' },
  vendor: { icon: 'channels', look: 'warning' },
  inviteReward: { icon: 'users', look: 'warning' },
  invoice: { icon: 'list', look: 'warning' },
} as const satisfies Record<Task['kind'], { icon: IconName; look: string }>;

const SHOWN = 6;

const VERBS = {
  double: 'toRefundSecond',
  wrongAmount: 'toCheck',
  refundRefused: 'toReason',
  unanswered: 'toSettle',
  capEnds: 'toShares',
} as const;

type Verb = (typeof VERBS)[keyof typeof VERBS] | 'toRequest' | 'toLook' | 'toAccount';

/** Where the task is done; nowhere for what only the command line does. */
function wayOf({ kind, what, ref }: Task): { to: string; verb: Verb } | null {
  const verb = what !== null && what in VERBS ? VERBS[what as keyof typeof VERBS] : null;
  switch (kind) {
    case 'request':
      return { to: `/approvals/${ref ?? ''}`, verb: 'toRequest' };
    case 'payment':
      return ref === null
        ? { to: '/payments/exceptions', verb: 'toLook' }
        : { to: `/payments/orders/${ref}`, verb: verb ?? 'toLook' };
    case 'vendor':
      return { to: `/channels/${(ref ?? '').split('/').map(encodeURIComponent).join('/')}`, verb: verb ?? 'toAccount' };
    case 'inviteReward':
    case 'invoice':
      return null;
  }
}

function Row({ task }: { task: Task }) {
  const t = useMessages('today');
  const payments = useMessages('payments');
  const age = useAge();
  const { icon, look } = LOOKS[task.kind];
  const { kind, what, note, leftSeconds, waitedSeconds, amount } = task;
  const way = wayOf(task);
  const todo = kind === 'payment' && what !== null ? payments(`todo_${what as 'double'}`) : null;
  const byCommand = kind === 'invoice' || kind === 'inviteReward' ? t(`by_${kind}`) : null;
  return (
    <li data-row>
      <span className={`task-icon ${what === 'cutOff' ? 'bad' : look}`}>
        <Icon name={icon} />
      </span>
      <div className="task-text">
        <b>{task.title}</b>
        <small className="numeric dynamic-text">{[note, todo, byCommand].filter(Boolean).join(' · ')}</small>
      </div>
      <span className="task-amount">{amount !== null && `¥${yuan(amount)}`}</span>
      <time className="task-age numeric" title={task.since}>
        {leftSeconds !== null ? t('left', { age: age(leftSeconds) }) : t('waited', { age: age(waitedSeconds) })}
      </time>
      {way && (
        <Link className="button button-default button-small" to={way.to}>
          {t(way.verb)}
        </Link>
      )}
    </li>
  );
}

/** The kinds of what is not shown. */
function useRest(): (tasks: readonly Task[], kinds: Answer['kinds']) => string {
  const t = useMessages('today');
  return (shown, kinds) =>
    TASK_KINDS.flatMap((kind) => {
      const n = (kinds[kind] ?? 0) - shown.filter((task) => task.kind === kind).length;
      return n > 0 ? [t(`kind_${kind}`, { n })] : [];
    }).join(t('comma'));
}

/** A deadline first, then money, then age; only what this role may do. */
export function TasksPanel({ query }: { query: EndpointQuery<typeof listTasks> }) {
  const t = useMessages('today');
  const [all, setAll] = useState(false);
  const restOf = useRest();
  const total = query.data?.total ?? 0;
  return (
    <Card title={t('first')} note={total > 0 && t('firstNote', { n: total })}>
      <Loaded query={query}>
        {({ tasks, kinds }) =>
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
                    {t('more', { n: total - SHOWN, kinds: restOf(tasks.slice(0, SHOWN), kinds) })}
                    <Icon name="next" />
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
