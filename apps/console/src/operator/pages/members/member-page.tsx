import './members.css';
import { useGetIdentity } from '@refinedev/core';
import { checkProof } from '@yiqiao/contracts/operator/accounts';
import { viewAsMember } from '@yiqiao/contracts/operator/member-changes';
import { type MemberDetails, getMember } from '@yiqiao/contracts/operator/members';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Session } from '../../shared/api/session.js';
import { ExportProof } from '../../shared/export-proof.js';
import { Loaded } from '../../shared/states.js';
import { ActionButton } from './action-button.js';
import { ActionsCard } from './actions-card.js';
import { AdjustDialog } from './adjust-dialog.js';
import { BalanceCard, SourcesCard } from './balance.js';
import { ChildrenCard, OrdersCard, RecordsCard } from './lists.js';
import { GrantDialog } from './grant-dialog.js';
import { MemberState } from './member-state.js';
import { EnabledDialog, SignOutDialog } from './reason-dialogs.js';
import { HoldsCard, IdentityCard, InvoicesCard, SessionsCard, SettingsCard } from './side.js';

function ViewAsButton({ userId }: { userId: number }) {
  const t = useMessages('members');
  const { mutate } = useEndpointMutation(viewAsMember, {
    onSuccess: ({ url, until }) => {
      // The window gets neither our address nor a handle on this one.
      const opened = window.open(url, '_blank', 'noopener,noreferrer');
      void opened;
      toast.success(t('viewAsOpened', { time: until.slice(11) }));
    },
  });
  return (
    <ActionButton action="member.viewAs" icon="eye" onClick={() => void mutate({ userId: String(userId) })}>
      {t('viewAs')}
    </ActionButton>
  );
}

type Open = 'adjust' | 'grant' | 'enabled' | 'signOut' | null;

function Actions({ member }: { member: MemberDetails }) {
  const t = useMessages('members');
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const { data: operator } = useGetIdentity<Session>();
  const { userId, enabled, role } = member;
  return (
    <div className="member-actions">
      {enabled === 1 && <ViewAsButton userId={userId} />}
      <ExportProof userId={userId} familyId={member.familyId} />
      <ActionButton action="member.signOut" icon="signOut" onClick={() => setOpen('signOut')}>
        {t('signOutAll')}
      </ActionButton>
      <ActionButton action="quota.adjust" icon="stamp" look="button-default hand" onClick={() => setOpen('adjust')}>
        {t('adjust')}
      </ActionButton>
      {role === 'main' && (
        <ActionButton action="plan.grant" icon="stamp" look="button-default hand" onClick={() => setOpen('grant')}>
          {t('grant')}
        </ActionButton>
      )}
      <ActionButton
        action="member.enable"
        look={enabled === 1 ? 'button-danger' : 'button-default'}
        onClick={() => setOpen('enabled')}
      >
        {t(enabled === 1 ? 'disable' : 'enable')}
      </ActionButton>
      {open === 'adjust' && operator && <AdjustDialog member={member} operator={operator.name} onClose={close} />}
      {open === 'grant' && operator && <GrantDialog member={member} operator={operator.name} onClose={close} />}
      {open === 'enabled' && <EnabledDialog member={member} onClose={close} />}
      {open === 'signOut' && <SignOutDialog member={member} onClose={close} />}
    </div>
  );
}

const stateOf = ({ closeDateTime, enabled }: MemberDetails) =>
  closeDateTime !== null ? 'closed' : enabled === 1 ? 'enabled' : 'disabled';

/** Entries of the newest end that are recomputed when the page opens. */
const RECOMPUTED = 100_000;

/** Whether the entries still follow from each other. */
function ChainState({ userId, entries }: { userId: number; entries: number }) {
  const t = useMessages('members');
  const from = Math.max(1, entries - RECOMPUTED + 1);
  const { data } = useEndpoint(checkProof, { userId: String(userId), fromSeq: String(from) }, { enabled: entries > 0 });
  const n = grouped(entries);
  if (!data) return t('entries', { n });
  if (data.firstBreak)
    return (
      <Link className="state bad" to={`/ledger/replay/${userId}?seq=${data.firstBreak.seq}`}>
        {t('chainBroken', { n: grouped(data.firstBreak.seq) })}
      </Link>
    );
  return from === 1 ? t('chainWhole', { n }) : t('chainWholeSince', { n, newest: grouped(RECOMPUTED) });
}

function Head({ member }: { member: MemberDetails }) {
  const t = useMessages('members');
  const { memberGroup, tranChannelId, balance } = member;
  const name = member.username ?? member.nickname ?? `#${member.userId}`;
  usePageTitle(name);
  const facts = [
    language === 'zh' ? memberGroup.name : memberGroup.enName,
    t(`mode_${memberGroup.translationBillingMode}`),
    tranChannelId === null ? null : channelNameOf(tranChannelId),
  ].filter((fact) => fact !== null);
  return (
    <header className="member-head">
      <span className="avatar" aria-hidden="true">
        {[...name][0]}
      </span>
      <div>
        <h1>
          <span className="dynamic-text">{name}</span> <span className="badge transfer">{t(member.role)}</span>
          <MemberState state={stateOf(member)} />
        </h1>
        <p className="numeric">
          #{member.userId} · {facts.join(' · ')} · <ChainState userId={member.userId} entries={balance.entries} />
          {member.role === 'sub' && (
            <>
              {' · '}
              <Link to={`/members/${member.familyId}`}>
                {t('ofMain', { name: member.mainUsername ?? `#${member.familyId}` })}
              </Link>
            </>
          )}
        </p>
      </div>
      {member.closeDateTime === null && <Actions member={member} />}
    </header>
  );
}

/** Everything about one member (operators §10). */
export default function MemberPage() {
  const { userId = '' } = useParams();
  const query = useEndpoint(getMember, { userId });
  const invalidate = useInvalidateEndpoint();
  const reload = (): void => void invalidate(getMember);
  return (
    <Loaded query={query} rows={10}>
      {(member) => (
        <>
          <Head member={member} />
          <div className="grid member-grid">
            <div className="span-8 stack">
              <BalanceCard member={member} />
              <SourcesCard member={member} />
              {member.role === 'main' && <ChildrenCard member={member} />}
              <RecordsCard member={member} />
              {member.role === 'main' && <OrdersCard member={member} />}
            </div>
            <div className="span-4 stack">
              <IdentityCard member={member} />
              <SettingsCard member={member} />
              <SessionsCard member={member} onChange={reload} />
              <HoldsCard member={member} />
              <InvoicesCard member={member} />
              <ActionsCard member={member} onChange={reload} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}
