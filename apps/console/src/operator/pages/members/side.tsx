import type { MemberDetails } from '@yiqiao/contracts/operator/members';
import { useCan } from '@refinedev/core';
import { addMemberNote, revealMember, signMemberOut } from '@yiqiao/contracts/operator/member-changes';
import { deviceName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Input } from 'antd';
import { useState, type ReactNode } from 'react';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import type zh from './messages.zh.js';
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
            <span className="mono">{member.inviteCode}</span>, {t('invited', { n: member.inviteCount })}
          </Fact>
        )}
        {member.lastLogin && <Fact name={t('streak')}>{t('days', { n: member.lastLogin.sumDay })}</Fact>}
        {member.role === 'main' && <Fact name={t('twoStep')}>{t(member.twoStep === 1 ? 'on' : 'off')}</Fact>}
        <Fact name={t('devices')}>{t('deviceCount', { n: member.devices })}</Fact>
      </dl>
      {member.account !== null && <p className="card-foot faint">{t('revealNote')}</p>}
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
        <Fact name={t('plan')}>
          {plan}, {t(`mode_${memberGroup.translationBillingMode}`)}
        </Fact>
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

type Changed = { member: MemberDetails; onChange: () => void };

export function SessionsCard({ member: { userId, sessions }, onChange }: Changed) {
  const t = useMessages('members');
  const { data: may } = useCan({ resource: 'members', action: 'personalData.reveal' });
  const { data: mayEnd } = useCan({ resource: 'members', action: 'member.signOut' });
  const [addresses, setAddresses] = useState<ReadonlyMap<number, string | null>>(new Map());
  const [ending, setEnding] = useState<number | null>(null);
  const { mutate } = useEndpointMutation(revealMember, {
    onSuccess: (opened) =>
      setAddresses(new Map(opened.addresses?.map(({ sessionId, loginIp }) => [sessionId, loginIp]))),
  });
  const end = useEndpointMutation(signMemberOut, { onSuccess: onChange });
  return (
    <Card title={t('sessions')} note={t('sessionCount', { n: sessions.length })}>
      {sessions.length === 0 ? (
        <p className="card-body faint">{t('noSessions')}</p>
      ) : (
        <ul className="member-lines">
          {sessions.map((session) => (
            <li key={session.id}>
              <div>
                {CLIENT_TYPES[session.clientType][language]} {deviceName(session, language)}
                <small>
                  {addresses.get(session.id) ?? session.loginIp ?? '–'}, {session.lastUseDateTime.slice(5, 16)}
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

type ActionRow = MemberDetails['actions'][number];
type ActionKey = Extract<keyof typeof zh, `action_${string}`>;

/** What an action changed of a quantity, in short. */
function changeOf({ before, after }: ActionRow, t: ReturnType<typeof useMessages<'members'>>): string {
  const names = { charNum: t('chars'), voiceNum: t('voice'), imageNum: t('images') };
  return Object.entries(names)
    .flatMap(([name, label]) => {
      const [was, is] = [before?.[name], after?.[name]];
      return typeof was === 'number' && typeof is === 'number' ? [`${signed(is - was)} ${label}`] : [];
    })
    .join(', ');
}

function ActionLine({ row, notes }: { row: ActionRow; notes: MemberDetails['notes'] }) {
  const t = useMessages('members');
  const key = `action_${row.action}` as ActionKey;
  const title = t(key) === key ? t('action_other', { action: row.action }) : t(key);
  const noted = row.action === 'member.note' ? notes.find(({ id }) => id === row.after?.['note'])?.text : undefined;
  const detail = [row.actor, row.at.slice(0, 16), noted ?? row.reason].filter(Boolean).join(', ');
  return (
    <li>
      <Icon name="stamp" />
      <div>
        {changeOf(row, t) || title}
        <small className="dynamic-text">{detail}</small>
      </div>
    </li>
  );
}

function NoteForm({ userId, onDone }: { userId: number; onDone: () => void }) {
  const t = useMessages('members');
  const [text, setText] = useState('');
  const { mutate, isPending } = useEndpointMutation(addMemberNote, { onSuccess: onDone });
  return (
    <form
      className="card-body"
      onSubmit={(event) => {
        event.preventDefault();
        void mutate({ userId: String(userId), text });
      }}
    >
      <Input.TextArea
        autoFocus
        rows={3}
        maxLength={500}
        aria-label={t('noteLabel')}
        placeholder={t('noteHint')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="dialog-foot">
        <button type="submit" className="button button-primary button-small" disabled={isPending || text.trim() === ''}>
          {t('save')}
        </button>
      </div>
    </form>
  );
}

export function ActionsCard({ member: { userId, actions, notes, closeDateTime }, onChange }: Changed) {
  const t = useMessages('members');
  const { data: may } = useCan({ resource: 'members', action: 'member.note' });
  const [writing, setWriting] = useState(false);
  return (
    <Card title={t('actions')} note={t('actionsNote')}>
      {actions.length === 0 ? (
        <p className="card-body faint">{t('noActions')}</p>
      ) : (
        <ul className="member-lines by-hand">
          {actions.map((row) => (
            <ActionLine key={row.n} row={row} notes={notes} />
          ))}
        </ul>
      )}
      {writing ? (
        <NoteForm
          userId={userId}
          onDone={() => {
            setWriting(false);
            onChange();
          }}
        />
      ) : (
        may?.can &&
        closeDateTime === null && (
          <div className="card-foot">
            <button type="button" className="button button-default button-small" onClick={() => setWriting(true)}>
              {t('writeNote')}
            </button>
          </div>
        )
      )}
    </Card>
  );
}
