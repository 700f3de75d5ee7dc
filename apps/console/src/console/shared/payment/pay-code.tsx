import type { OrderChannel } from '@yiqiao/domain/orders';
import { QRCode } from 'antd';
import { useRef } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import { save } from '../api/download.js';
import { payLinkOf } from './pay-link.js';

/** The app that scans the code. */
const APPS = {
  ALI_NATIVE: 'alipay',
  ALI_LIAN: 'alipay',
  WC_NATIVE: 'wechat',
  WC_LIAN: 'wechat',
} as const satisfies Record<OrderChannel, string>;
const SIZE = 206; // 232 with its white margin, which scanners need in dark mode too
const PICTURE_SIZE = 1_024;
/** The margin that a code needs, in modules (ISO/IEC 18004). */
const QUIET = 4;
const IOS = /\biP(?:hone|ad|od)\b/;

/** Draws the code with its margin as PNG. Null when the browser cannot. */
function pictureOf(code: SVGSVGElement): Promise<Blob | null> {
  const modules = code.viewBox.baseVal.width + 2 * QUIET;
  const scale = Math.round(PICTURE_SIZE / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const paper = canvas.getContext('2d');
  if (!paper) return Promise.resolve(null);
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.scale(scale, scale);
  paper.translate(QUIET, QUIET);
  for (const path of code.querySelectorAll('path')) {
    paper.fillStyle = path.getAttribute('fill') ?? '';
    paper.fill(new Path2D(path.getAttribute('d') ?? ''));
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Returns whether the picture was saved; false when the member closed the share sheet. */
async function savePicture(code: SVGSVGElement, name: string): Promise<boolean> {
  const content = await pictureOf(code);
  if (!content) throw new Error('this browser draws no pictures');
  const files = [new File([content], name, { type: content.type })];
  // A download goes to Files on iOS; only the share sheet saves to the album, which the scanners read.
  if (IOS.test(navigator.userAgent) && navigator.canShare?.({ files })) {
    return navigator.share({ files }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DOMException && error.name === 'AbortError') return false;
        throw error;
      },
    );
  }
  save({ name, content });
  return true;
}

type PayCodeProps = { text: string; payChannel: OrderChannel; orderNo: string };

/** The code to scan. Phones and tablets, which cannot scan their own screen, also get a link and the picture (payment.css). */
export function PayCode({ text, payChannel, orderNo }: PayCodeProps) {
  const t = useMessages('payment');
  const code = useRef<HTMLDivElement>(null);
  const app = APPS[payChannel];
  const link = payLinkOf(text);
  const saveCode = (): void => {
    const svg = code.current?.querySelector('svg');
    if (!svg) return;
    savePicture(svg, `${orderNo}.png`).then(
      (saved) => saved && toast.success(t('codeSaved')),
      () => toast.error(t('codeNotSaved')),
    );
  };
  return (
    <>
      <div className="pay-qr" ref={code}>
        <QRCode
          type="svg"
          aria-label={t(`qr_${app}`)}
          value={text}
          size={SIZE}
          bordered={false}
          style={{ padding: 0, borderRadius: 0 }}
          color="#12242b"
          bgColor="#fff"
        />
      </div>
      <p className="pay-scan">{t('scan', { app: t(app) })}</p>
      <div className="pay-phone">
        {link?.kind === 'app' && (
          <a className="button button-primary" href={link.href}>
            {t('openApp')}
          </a>
        )}
        {link?.kind === 'page' && (
          <a className="button button-primary" href={link.href} target="_blank" rel="noreferrer">
            {t('openPage')}
          </a>
        )}
        <button type="button" className="button button-default" onClick={saveCode}>
          {t('saveCode')}
        </button>
        <p>{t(`onPhone_${link?.kind ?? 'scan'}`, { app: t(app) })}</p>
      </div>
    </>
  );
}
