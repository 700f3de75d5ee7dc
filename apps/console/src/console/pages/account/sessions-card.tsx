import type { Response } from '@yiqiao/contracts/endpoint';
import { endSession as endContract, listSessions, signOutEverywhere } from '@yiqiao/contracts/sessions';
import { deviceName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { endSession } from '../../../shared/api/session.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { leaveFor } from '../../../shared/leave.js';
import { Card } from '../../../shared/ui/card.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { toast } from '../../../shared/ui/toast.js';

type Session = Response<typeof listSessions>[number];
/** The sign-out to be confirmed: one device, all others, or all. */
type Target = { what: 'one'; session: Session } | { what: 'others' } | { what: 'all' };

const NOWHERE = '–';
/** How many devices are listed before "show more" is pressed. */
const FIRST = 8;

/** An app by its system, which it reports itself; a browser by what its sign-in told. */
function clientName(session: Session, t: Translate<'account'>): string {
  if (session.clientType !== 'web') return t('app', { system: CLIENT_TYPES[session.clientType][language] });
  return deviceName(session, language) ?? t('unknownDevice');
}

function Device({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = useMessages('account');
  const client = clientName(session, t);
  const ip = session.loginIp ?? NOWHERE;
  return (
    <li>
      <div>
        <p>
          <b>{client}</b> {session.current && <span className="badge increase">{t('thisDevice')}</span>}
        </p>
        <p className="numeric ac-when">
          {session.clientType === 'web' && <span>{CLIENT_TYPES.web[language]}</span>} <span>{t('fromIp', { ip })}</span>{' '}
          <span>{t('since', { time: session.loginDateTime })}</span>{' '}
          <span>{t('lastUse', { time: session.lastUseDateTime })}</span>
        </p>
      </div>
      {session.current ? (
        <Link className="button button-default button-small" to="/UserCenterExit">
          {t('signOut')}
        </Link>
      ) : (
        <button
          type="button"
          className="button button-default button-small"
          aria-label={t('endLabel', { client, ip, time: session.loginDateTime })}
          onClick={onEnd}
        >
          {t('end')}
        </button>
      )}
    </li>
  );
}

/** Signs devices out once the member has confirmed it. */
function useEndSessions() {
  const t = useMessages('account');
  const invalidate = useInvalidateEndpoint();
  const [open, setOpen] = useState(false);
  const [target, setTarget] = useState<Target | null>(null);
  const ended = async (): Promise<void> => {
    await invalidate(listSessions);
    toast.success(t('ended'));
    setOpen(false);
  };
  const one = useEndpointMutation(endContract, {
    onSuccess: ended,
    // The session has already ended.
    onError: (error) => (error instanceof ApiError && error.code === 'NOT_FOUND' ? void ended() : showRefusal(error)),
  });
  const several = useEndpointMutation(signOutEverywhere, {
    onSuccess: async (_answer, { keepCurrent }) => {
      if (keepCurrent === 1) return ended();
      endSession();
      await leaveFor('/UserCenterExit');
    },
  });
  const end = (): void => {
    if (target?.what === 'one') one.mutate({ id: target.session.id });
    else if (target) several.mutate(target.what === 'others' ? { keepCurrent: 1 } : {});
  };
  return {
    target,
    ask: (next: Target): void => {
      setTarget(next);
      setOpen(true);
    },
    end,
    isPending: one.isPending || several.isPending,
    frame: { open, onClose: () => setOpen(false), afterClose: () => setTarget(null) },
  };
}

/** Asks before devices are signed out, because unsent input there is lost. */
function EndDialog({ ending: { target, end, isPending, frame } }: { ending: ReturnType<typeof useEndSessions> }) {
  const t = useMessages('account');
  const what = target?.what ?? 'one';
  return (
    <ConfirmDialog
      frame={frame}
      title={t(`title_${what}`)}
      verb={t(what === 'all' ? 'endAll' : 'end')}
      look={what === 'all' ? 'danger' : 'usual'}
      busy={isPending}
      onConfirm={end}
    >
      {target?.what === 'one' && (
        <p className="numeric">
          {t('which', {
            client: clientName(target.session, t),
            ip: target.session.loginIp ?? NOWHERE,
            time: target.session.lastUseDateTime,
          })}
        </p>
      )}
      <p>{t(`what_${what}`)}</p>
    </ConfirmDialog>
  );
}

/** The devices on which the member is signed in, to sign out one, all others or all (docs/decisions/0022). */
export function SessionsCard() {
  const t = useMessages('account');
  const { data, isPending, isError, error, refetch } = useEndpoint(listSessions, {}, { refetchOnMount: 'always' });
  const ending = useEndSessions();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = all || !data ? data : data.slice(0, FIRST);
  const rest = (data?.length ?? 0) - (shown?.length ?? 0);
  const showAll = (): void => {
    flushSync(() => setAll(true));
    // The pressed button is gone: the focus goes to the first device that it has shown.
    list.current?.children[FIRST]?.querySelector('button')?.focus();
  };
  return (
    <Card className="ac-card" title={t('devices')} note={t('devicesNote')}>
      {data && shown && (
        <>
          {/* The device that was used last comes first. */}
          <ul className="ac-devices" aria-label={t('devices')} ref={list}>
            {shown.map((session) => (
              <Device key={session.id} session={session} onEnd={() => ending.ask({ what: 'one', session })} />
            ))}
          </ul>
          {rest > 0 && (
            <p className="ac-more">
              <button type="button" className="link" onClick={showAll}>
                {t('showMore', { n: rest })}
              </button>
            </p>
          )}
          <div className="ac-foot">
            {data.some(({ current }) => !current) && (
              <button type="button" className="button button-default" onClick={() => ending.ask({ what: 'others' })}>
                {t('endOthers')}
              </button>
            )}
            <button type="button" className="button button-danger" onClick={() => ending.ask({ what: 'all' })}>
              {t('endAll')}
            </button>
          </div>
        </>
      )}
      {!data && isPending && <TableSkeleton rows={2} columns={3} />}
      {!data && isError && (
        <ErrorState title={t('devicesFailed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      <EndDialog ending={ending} />
    </Card>
  );
}
