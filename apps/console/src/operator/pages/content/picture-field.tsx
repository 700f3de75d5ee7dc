import { Button, Upload } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';

/** As the server checks it. */
const BYTES_MOST = 64 * 1_024;
const SIDE_MOST = 480;

const readUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('unreadable'));
    reader.readAsDataURL(file);
  });

/** A photo or another format as a PNG of a few hundred pixels. */
async function redrawn(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE_MOST / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

const sizeOf = (url: string): number => ((url.length - url.indexOf(',') - 1) * 3) / 4;

/** The picture as a data URL; null when it is none, or stays too large. */
async function pictureOf(file: Blob): Promise<string | null> {
  try {
    const url = file.type === 'image/png' && file.size <= BYTES_MOST ? await readUrl(file) : await redrawn(file);
    return sizeOf(url) <= BYTES_MOST ? url : null;
  } catch {
    return null;
  }
}

type Props = { id?: string; label: string; disabled: boolean; value?: string; onChange?: (url: string) => void };

/** A small picture, which is kept in the document itself. */
export function PictureField({ id, label, disabled, value = '', onChange }: Props) {
  const t = useMessages('content');
  const [isWrong, setIsWrong] = useState(false);
  const take = async (file: Blob): Promise<void> => {
    const url = await pictureOf(file);
    setIsWrong(url === null);
    if (url !== null) onChange?.(url);
  };
  return (
    <div className="picture-field">
      {value !== '' && <img src={value} alt={label} />}
      <Upload
        accept="image/*"
        showUploadList={false}
        disabled={disabled}
        beforeUpload={(file) => {
          void take(file);
          return false;
        }}
      >
        <Button {...(id ? { id } : {})} disabled={disabled}>
          {t(value === '' ? 'choosePicture' : 'otherPicture')}
        </Button>
      </Upload>
      {value !== '' && (
        <Button type="text" disabled={disabled} onClick={() => onChange?.('')}>
          {t('removePicture')}
        </Button>
      )}
      {isWrong ? (
        <small className="danger-text" role="alert">
          {t('pictureWrong')}
        </small>
      ) : (
        <small className="faint">{t('pictureHint')}</small>
      )}
    </div>
  );
}
