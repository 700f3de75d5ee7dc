import type { OrderChannel } from '@yiqiao/domain/orders';
import { QRCode } from 'antd';
import { useTexts } from '../i18n/texts.js';

const LABELS = { ALI_NATIVE: 'alipayQr', ALI_LIAN: 'alipayQr', WC_NATIVE: 'wechatQr', WC_LIAN: 'wechatQr' } as const;
const SIZE = 206; // 232 with its white margin, which scanners need in a dark page too

export function PayCode({ text, payChannel }: { text: string; payChannel: OrderChannel }) {
  const t = useTexts('payment');
  return (
    <div className="pay-qr" role="img" aria-label={t(LABELS[payChannel])}>
      <QRCode type="svg" value={text} size={SIZE} bordered={false} color="#12242b" bgColor="#fff" />
    </div>
  );
}
