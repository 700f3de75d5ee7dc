import { Modal, Tabs } from 'antd';
import { useRef, useState } from 'react';
import { type DialogFrame, whileBusy } from '../../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { signed } from '../../../../shared/amounts.js';
import { PackageExpired } from '../../../shared/package-warning/package-warning.js';
import type { ChildUser } from '../child-user.js';
import { SharePanel } from './share-panel.js';
import {
  canConfirm,
  changedOf,
  changeOf,
  NO_SHARES,
  overOf,
  QUANTITIES,
  type Quantity,
  QUANTITY_TEXTS,
  type Shares,
  type Sides,
} from './shares.js';
import { useDistribution } from './use-distribution.js';
import './distribution.css';

/** Quota can be distributed after the package has expired, but not used until it is renewed (decisions §4). */
const ExpiredNote = () => <PackageExpired className="note warning ds-expired" />;

type OthersNoteProps = { current: Quantity; shares: Shares; sides: Sides };

/** The changes on the other tabs: all three quantities are sent together. */
function OthersNote({ current, shares, sides }: OthersNoteProps) {
  const t = useMessages('sub-accounts');
  const nameOf = (quantity: Quantity): string => t(QUANTITY_TEXTS[quantity].name);
  const listOf = (quantities: Quantity[]): string => quantities.map(nameOf).join(t('separator'));
  const others = QUANTITIES.filter((quantity) => quantity !== current);
  const over = overOf(shares, sides).filter((quantity) => quantity !== current);
  const changed = others.filter((quantity) => shares[quantity].amount !== 0 && !over.includes(quantity));
  const same = others.filter((quantity) => shares[quantity].amount === 0);
  const said = [
    ...changed.map((quantity) => `${nameOf(quantity)} ${signed(changeOf(shares[quantity]))}`),
    ...(same.length === 0 ? [] : [t('otherUnchanged', { names: listOf(same) })]),
  ];
  return (
    <span className="ds-others faint">
      {over.length > 0 && <span className="sa-out">{t('otherOver', { names: listOf(over) })}</span>}
      {over.length > 0 && said.length > 0 && t('otherAnd')}
      {said.join(t('otherAnd'))}
    </span>
  );
}

/** Characters, voice and images between the main account and one sub-account, sent together (specification §2, decisions §4). */
export function DistributionDialog({ frame, child }: { frame: DialogFrame; child: ChildUser }) {
  const t = useMessages('sub-accounts');
  const [current, setCurrent] = useState<Quantity>('charNum');
  const [shares, setShares] = useState<Shares>(NO_SHARES);
  const body = useRef<HTMLDivElement>(null);
  const { sides, busy, notice, confirm } = useDistribution({
    child,
    onDone: frame.onClose,
    onStartOver: () => setShares(NO_SHARES),
  });
  const confirmable = canConfirm(shares, sides);
  const submit = (): void => {
    if (confirmable) confirm(shares);
  };
  const changed = changedOf(shares);
  const onlyTaking = changed.length > 0 && changed.every((quantity) => changeOf(shares[quantity]) < 0);

  return (
    <Modal
      open={frame.open}
      width={600}
      className="ds-dialog"
      classNames={{ footer: 'ds-foot' }}
      title={
        <>
          <span className="display">{t('shareTitle')}</span>
          <span className="dynamic-text">{child.account}</span>
        </>
      }
      okText={t(onlyTaking ? 'takeVerb' : 'shareVerb')}
      okButtonProps={{ disabled: !confirmable, style: { margin: 0 } }}
      {...whileBusy(busy)}
      onOk={submit}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      afterOpenChange={(shown) => shown && body.current?.querySelector<HTMLElement>('[data-first]')?.focus()}
      footer={(buttons) => (
        <>
          <OthersNote current={current} shares={shares} sides={sides} />
          {buttons}
        </>
      )}
    >
      <div ref={body}>
        <ExpiredNote />
        <Tabs
          activeKey={current}
          tabBarStyle={{ marginBottom: 22 }}
          onChange={(key) => setCurrent(QUANTITIES.find((quantity) => quantity === key) ?? 'charNum')}
          destroyOnHidden
          items={QUANTITIES.map((quantity) => ({
            key: quantity,
            label: t(QUANTITY_TEXTS[quantity].name),
            children: (
              <SharePanel
                quantity={quantity}
                account={child.account}
                main={sides.main[quantity]}
                child={sides.child[quantity]}
                share={shares[quantity]}
                onShare={(share) => setShares((before) => ({ ...before, [quantity]: share }))}
                onEnter={submit}
              />
            ),
          }))}
        />
        <div role="alert">{notice && <p className="note warning ds-notice">{t(notice)}</p>}</div>
      </div>
    </Modal>
  );
}
