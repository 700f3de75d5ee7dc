import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { Button, Form, Input } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type Path, valueAt, withValue } from './json.js';
import { PictureField } from './picture-field.js';

export type FormProps<T> = {
  value: T;
  disabled: boolean;
  /** Paths of fields that do not fit. */
  wrong: ReadonlySet<string>;
  onChange: (value: T) => void;
};

const NOTHING = { zh: '', en: '' };
const LONG: readonly string[] = ['company'];

/** SITE_INFO: the owner of the site, in both languages. */
export function SiteInfoForm({ value, disabled, wrong, onChange }: FormProps<SiteInfo>) {
  const t = useMessages('content');
  const set = (path: Path, next: unknown): void => onChange(withValue(value, path, next) as SiteInfo);
  const field = (path: Path, label: string, hint?: string) => {
    const id = `site-${path.join('-')}`;
    const isWrong = wrong.has(path.join('.'));
    const text = (valueAt(value, path) as string | undefined) ?? '';
    const props = { id, disabled, value: text, status: isWrong ? ('error' as const) : ('' as const) };
    return (
      <Form.Item key={id} htmlFor={id} label={label} extra={hint} {...(isWrong ? { help: t('fieldWrong') } : {})}>
        {LONG.includes(String(path[0])) ? (
          <Input.TextArea {...props} rows={3} onChange={({ target }) => set(path, target.value)} />
        ) : (
          <Input {...props} onChange={({ target }) => set(path, target.value)} />
        )}
      </Form.Item>
    );
  };
  const both = (name: 'brand' | 'company' | 'copyright' | 'seller') => [
    field([name, 'zh'], t('inChinese', { name: t(`key_${name}`) })),
    field([name, 'en'], t('inEnglish', { name: t(`key_${name}`) })),
  ];
  return (
    <Form layout="vertical" component="div" className="document-form">
      {both('brand')}
      {both('company')}
      {both('copyright')}
      {value.seller ? (
        <>
          {both('seller')}
          <Button
            type="link"
            className="document-form-wide"
            disabled={disabled}
            onClick={() => set(['seller'], undefined)}
          >
            {t('removeSeller')}
          </Button>
        </>
      ) : (
        <p className="document-form-wide">
          <Button disabled={disabled} onClick={() => set(['seller'], NOTHING)}>
            {t('addSeller')}
          </Button>{' '}
          <small className="faint">{t('sellerHint')}</small>
        </p>
      )}
      {value.record ? (
        <>
          {field(['record', 'text'], t('recordText'))}
          {field(['record', 'url'], t('recordUrl'))}
          <Button type="link" className="document-form-wide" disabled={disabled} onClick={() => set(['record'], null)}>
            {t('removeRecord')}
          </Button>
        </>
      ) : (
        <p className="document-form-wide">
          <Button disabled={disabled} onClick={() => set(['record'], { text: '', url: '' })}>
            {t('addRecord')}
          </Button>
        </p>
      )}
      <Form.Item className="document-form-wide" label={t('key_logo')} htmlFor="site-logo">
        <PictureField
          id="site-logo"
          label={t('key_logo')}
          disabled={disabled}
          value={value.logo}
          onChange={(url) => set(['logo'], url)}
        />
      </Form.Item>
    </Form>
  );
}
