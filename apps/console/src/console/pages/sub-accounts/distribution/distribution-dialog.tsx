import { Modal, Tabs } from 'antd';
import { useRef, useState } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { whileBusy, type DialogFrame } from '../../../../shared/dialogs/dialog-frame.js';
import type { ChildUser } from '../child-user.js';
import { ExpiredNote } from './expired-note.js';
import { OthersNote } from './others-note.js';
import { QUANTITY_TEXTS } from './quantity-texts.js';
import { SharePanel } from './share-panel.js';
import { canConfirm, changeOf, changedOf, NO_SHARES, QUANTITIES, type Quantity, type Shares } from './shares.js';
import { useDistribution } from './use-distribution.js';
import './distribution.css';

/** Characters, voice and images between the main account and one sub-account, sent together (specification §2, decisions §4). */
export function DistributionDialog({ frame, child }: { frame: DialogFrame; child: ChildUser }) {
  const t = useTexts('sub-accounts');
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
      centered
      className="ds-dialog"
      title={
        <>
          <span className="display">{t('shareTitle')}</span>
          <span className="dyn">{child.account}</span>
        </>
      }
      okText={t(onlyTaking ? 'takeVerb' : 'shareVerb')}
      okButtonProps={{ disabled: !confirmable }}
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
        <div role="alert">{notice && <p className="note w ds-notice">{t(notice)}</p>}</div>
      </div>
    </Modal>
  );
}
