import type { MemberDetails } from '@yiqiao/contracts/operator/members';
import { useCan } from '@refinedev/core';
import { mailMemberPassword, revealMember, signMemberOut } from '@yiqiao/contracts/operator/member-changes';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { deviceName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { useState, type ReactNode } from 'react';
import { grouped, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useAge } from '../../shared/age.js';
import { listed } from '../../shared/listed.js';
import { secondsBetween } from './wire-time.js';
import { ActionButton } from './action-button.js';
import { SessionEndDialog } from './reason-dialogs.js';

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="dynamic-text">{children}</dd>
  </div>
);

/** The masked address, and the button that opens it. */
function Address({ member: { userId, account } }: { member: MemberDetails }) {
  const t = useMessages('members');
  const { data: may } = useCan({ resource: 'members', action: 'personalData.reveal' });
  const [shown, setShown] = useState<string | null>(null);
  const { mutate } = useEndpointMutation(revealMember, { onSuccess: (opened) => setShown(opened.account) });
  if (account === null) return '–';
  return (
    <>
      {shown ?? account}{' '}
      {shown === null && may?.can && (
        <button
          type="button"
          className="link-button"
          onClick={() => void mutate({ userId: String(userId), what: ['account'] })}
        >
          {t('reveal')}
        </button>
      )}
    </>
  );
}

function PasswordMail({ userId }: { userId: number }) {
  const t = useMessages('members');
  const { mutate } = useEndpointMutation(mailMemberPassword, { successMessage: () => t('passwordMailSent') });
  return (
    <div className="card-foot">
      <ActionButton
        action="member.passwordMail"
        look="button-default button-small"
        onClick={() => void mutate({ userId: String(userId) })}
      >
        {t('passwordMail')}
      </ActionButton>
    </div>
  );
}

export function IdentityCard({ member }: { member: MemberDetails }) {
  const t = useMessages('members');
  return (
    <Card title={t('identity')}>
      <dl className="facts card-body">
        <Fact name={t('id')}>{member.userId}</Fact>
        <Fact name={t('username')}>{member.username ?? '–'}</Fact>
        <Fact name={t('nickname')}>{member.nickname ?? '–'}</Fact>
        {member.role === 'main' && (
          <Fact name={t('email')}>
            <Address member={member} />
          </Fact>
        )}
        <Fact name={t('registered')}>{member.registerDateTime}</Fact>
        {member.closeDateTime !== null && <Fact name={t('closedAt')}>{member.closeDateTime}</Fact>}
        {member.inviteCode !== null && (
          <Fact name={t('inviteCode')}>
            <span className="mono">{member.inviteCode}</span>
            {t('invited', { n: member.inviteCount })}
          </Fact>
        )}
        {member.lastLogin && <Fact name={t('streak')}>{t('days', { n: member.lastLogin.sumDay })}</Fact>}
        {member.role === 'main' && <Fact name={t('twoStep')}>{t(member.twoStep === 1 ? 'on' : 'off')}</Fact>}
        <Fact name={t('devices')}>{t('deviceCount', { n: member.devices })}</Fact>
      </dl>
      {member.account !== null && <p className="member-small">{t('revealNote')}</p>}
      {member.role === 'main' && member.closeDateTime === null && <PasswordMail userId={member.userId} />}
    </Card>
  );
}

export function SettingsCard({ member }: { member: MemberDetails }) {
  const t = useMessages('members');
  const { memberGroup, tranChannelId, charPrice, reminders } = member;
  const plan = language === 'zh' ? memberGroup.name : memberGroup.enName;
  const channel = tranChannelId === null ? '–' : (channelNameOf(tranChannelId) ?? `#${tranChannelId}`);
  return (
    <Card title={t('settings')}>
      <dl className="facts card-body">
        <Fact name={t('plan')}>{listed(plan, t(`mode_${memberGroup.translationBillingMode}`))}</Fact>
        <Fact name={t('channel')}>
          {charPrice === null ? channel : t('pricePer', { name: channel, price: charPrice })}
        </Fact>
        <Fact name={t('failover')}>{t(member.channelFailover === 1 ? 'on' : 'off')}</Fact>
        <Fact name={t('memory')}>
          {member.translationCache === 1 ? t('memorySaved', { n: grouped(member.savedCharNum) }) : t('off')}
        </Fact>
        <Fact name={t('reminders')}>
          {t('remindersWhen', { chars: grouped(reminders.lowCharNum), days: reminders.expiryDays })}
        </Fact>
      </dl>
    </Card>
  );
}

export type Changed = { member: MemberDetails; onChange: () => void };

/** Of the sessions at first. */
const SESSIONS = 3;
const PHONES: readonly string[] = ['iOS', 'iPadOS', 'Android', 'HarmonyOS'];

export function SessionsCard({ member: { userId, sessions }, onChange }: Changed) {
  const t = useMessages('members');
  const { data: may } = useCan({ resource: 'members', action: 'personalData.reveal' });
  const { data: mayEnd } = useCan({ resource: 'members', action: 'member.signOut' });
  const { data: shell } = useEndpoint(getShell, {});
  const [addresses, setAddresses] = useState<ReadonlyMap<number, string | null>>(new Map());
  const [ending, setEnding] = useState<number | null>(null);
  const [all, showAll] = useState(false);
  const age = useAge();
  const { mutate } = useEndpointMutation(revealMember, {
    onSuccess: (opened) =>
      setAddresses(new Map(opened.addresses?.map(({ sessionId, loginIp }) => [sessionId, loginIp]))),
  });
  const end = useEndpointMutation(signMemberOut, { onSuccess: onChange });
  const rest = all ? 0 : sessions.length - SESSIONS;
  return (
    <Card title={t('sessions')} note={t('sessionCount', { n: sessions.length })}>
      {sessions.length === 0 ? (
        <p className="card-body faint">{t('noSessions')}</p>
      ) : (
        <ul className="member-lines">
          {sessions.slice(0, rest > 0 ? SESSIONS : undefined).map((session) => (
            <li key={session.id}>
              <Icon name={PHONES.includes(session.system ?? '') ? 'phone' : 'screen'} />
              <div>
                {[CLIENT_TYPES[session.clientType][language], deviceName(session, language)]
                  .filter(Boolean)
                  .join(' · ')}
                <small>
                  {listed(
                    addresses.get(session.id) ?? session.loginIp,
                    session.lastUseDateTime.slice(5, 16),
                    shell && t('ago', { age: age(secondsBetween(session.lastUseDateTime, shell.now)) }),
                  )}
                </small>
              </div>
              {mayEnd?.can && (
                <button type="button" className="link-button" onClick={() => setEnding(session.id)}>
                  {t('endSession')}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <button type="button" className="link-button card-more" onClick={() => showAll(true)}>
          {t('moreSessions', { n: rest })}
          <Icon name="next" />
        </button>
      )}
      {may?.can && sessions.length > 0 && addresses.size === 0 && (
        <div className="card-foot">
          <button
            type="button"
            className="link-button"
            onClick={() => void mutate({ userId: String(userId), what: ['addresses'] })}
          >
            {t('addresses')}
          </button>
        </div>
      )}
      {ending !== null && (
        <SessionEndDialog
          onSubmit={(reason) => end.mutateAsync({ userId: String(userId), sessionId: ending, reason })}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  );
}

export function HoldsCard({ member: { holds } }: { member: MemberDetails }) {
  const t = useMessages('members');
  if (holds.length === 0) return null;
  return (
    <Card title={t('holds')}>
      <ul className="member-lines">
        {holds.map((hold) => (
          <li key={`${hold.createDateTime} ${hold.charNum}`}>
            <div>
              {t(`hold_${hold.kind}`)} {grouped(hold.charNum + hold.voiceNum + hold.imageNum)}
              <small>
                {hold.createDateTime} – {hold.expireDateTime.slice(11)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function InvoicesCard({ member: { invoices } }: { member: MemberDetails }) {
  const t = useMessages('members');
  if (invoices.length === 0) return null;
  return (
    <Card title={t('invoices')}>
      <ul className="member-lines">
        {invoices.map((invoice) => (
          <li key={invoice.id}>
            <div>
              ¥{yuan(invoice.amount)} · {t(`invoice_${invoice.state}`)}
              <small>
                {invoice.orderNo}, {invoice.requestDateTime.slice(0, 16)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
