import type { OrderChannel } from '@yiqiao/domain/orders';
import { QRCode } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';

/** The app that reads the code. */
const APPS = { ALI_NATIVE: 'alipay', ALI_LIAN: 'alipay', WC_NATIVE: 'wechat', WC_LIAN: 'wechat' } as const;
const SIZE = 206; // 232 with its white margin, which scanners need in a dark page too

export function PayCode({ text, payChannel }: { text: string; payChannel: OrderChannel }) {
  const t = useMessages('payment');
  const app = APPS[payChannel];
  return (
    <>
      <div className="pay-qr">
        <QRCode
          type="svg"
          aria-label={t(`qr_${app}`)}
          value={text}
          size={SIZE}
          bordered={false}
          color="#12242b"
          bgColor="#fff"
        />
      </div>
      <p className="pay-scan">{t('scan', { app: t(app) })}</p>
    </>
  );
}
