import type { CustomerServiceDocument } from '@yiqiao/contracts/site-documents';
import { Button, Drawer, Form, Input, Popconfirm, QRCode, Radio, Switch } from 'antd';
import { useId, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PictureField } from './picture-field.js';
import type { FormProps } from './site-info-form.js';

type Account = CustomerServiceDocument[number]['accountList'][number];
type Row = Account & { platform: string; at: readonly [number, number] };
type Fields = Account & { platform: string };

const AFTER_SALE = 1;
const PRE_SALE = 0;
const NEW: Fields = { platform: '', accountType: PRE_SALE, account: '', referUrl: '', qr: '', listed: true };
const QR_SIDE = 40;
/** In either theme, so that phones read it. */
const [INK, PAPER] = ['#12242b', '#ffffff'];

const rowsOf = (document: CustomerServiceDocument): Row[] =>
  document.flatMap(({ platform, accountList }, group) =>
    accountList.map((account, n) => ({ ...account, platform, at: [group, n] as const })),
  );

/** Without the account at `at`, and without platforms that nobody is on. */
const without = (document: CustomerServiceDocument, [group, n]: Row['at']): CustomerServiceDocument =>
  document
    .map((each, index) =>
      index === group ? { ...each, accountList: each.accountList.filter((_, place) => place !== n) } : each,
    )
    .filter(({ accountList }) => accountList.length > 0);

function withAccount(document: CustomerServiceDocument, { platform, ...account }: Fields): CustomerServiceDocument {
  if (!document.some((each) => each.platform === platform)) return [...document, { platform, accountList: [account] }];
  return document.map((each) =>
    each.platform === platform ? { ...each, accountList: [...each.accountList, account] } : each,
  );
}

const replaced = (document: CustomerServiceDocument, [group, n]: Row['at'], account: Account) =>
  document.map((each, index) =>
    index === group
      ? { ...each, accountList: each.accountList.map((old, place) => (place === n ? account : old)) }
      : each,
  );

/** CUSTOMER_SERVICE: the accounts that members write to, and those that only count as ours. */
export function ServiceForm({ value, disabled, onChange }: FormProps<CustomerServiceDocument>) {
  const t = useMessages('content');
  const [open, setOpen] = useState<Row | 'new' | null>(null);
  const rows = rowsOf(value);
  const take = ({ platform, ...account }: Fields): void => {
    if (open !== null && open !== 'new' && open.platform === platform) onChange(replaced(value, open.at, account));
    else
      onChange(
        withAccount(open === null || open === 'new' ? value : without(value, open.at), { platform, ...account }),
      );
    setOpen(null);
  };
  return (
    <>
      {rows.length === 0 ? (
        <Empty title={t('noAccounts')} />
      ) : (
        <div className="table-scroll rows-scroll">
          <table className="rows-table service-table">
            <thead>
              <tr>
                <th scope="col">{t('code')}</th>
                <th scope="col">{t('key_platform')}</th>
                <th scope="col">{t('key_accountType')}</th>
                <th scope="col">{t('key_account')}</th>
                <th scope="col" className="service-link">
                  {t('pointsTo')}
                </th>
                <th scope="col">{t('key_listed')}</th>
                <th scope="col">
                  <span className="visually-hidden">{t('actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.at.join('-')}>
                  <td>
                    <Code {...row} />
                  </td>
                  <td>
                    <b>{row.platform}</b>
                  </td>
                  <td>{t(row.accountType === AFTER_SALE ? 'afterSale' : 'preSale')}</td>
                  <td className="mono">{row.account}</td>
                  <td className="muted service-link">
                    {row.qr === '' ? row.referUrl.replace(/^https:\/\//, '') || row.account : t('ownPicture')}
                  </td>
                  <td>
                    <span className={row.listed ? 'state ok' : 'state'}>{t(row.listed ? 'listed' : 'unlisted')}</span>
                  </td>
                  <td className="end">
                    <span className="row-actions">
                      <Button
                        type="link"
                        size="small"
                        aria-label={t('editOf', { name: row.account })}
                        onClick={() => setOpen(row)}
                      >
                        {t(disabled ? 'look' : 'edit')}
                      </Button>
                      {!disabled && (
                        <Button
                          type="link"
                          size="small"
                          aria-label={t(row.listed ? 'hideOf' : 'showOf', { name: row.account })}
                          onClick={() => {
                            const { platform: _, at, ...account } = row;
                            onChange(replaced(value, at, { ...account, listed: !row.listed }));
                          }}
                        >
                          {t(row.listed ? 'hide' : 'show')}
                        </Button>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!disabled && (
        <p className="rows-foot">
          <Button icon={<Icon name="add" />} onClick={() => setOpen('new')}>
            {t('addAccount')}
          </Button>
        </p>
      )}
      {open !== null && (
        <AccountDrawer
          row={open}
          platforms={[...new Set(value.map(({ platform }) => platform))]}
          disabled={disabled}
          onTake={take}
          onRemove={() => {
            if (open !== 'new') onChange(without(value, open.at));
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

/** As members get it: an own picture, else a code made from the link or the account. */
function Code({ qr, referUrl, account }: Account) {
  const t = useMessages('content');
  const label = t('codeOf', { name: account });
  return (
    <span className="service-code">
      {qr === '' ? (
        <>
          <span aria-hidden="true">
            <QRCode
              value={referUrl || account}
              size={QR_SIDE}
              type="svg"
              bordered={false}
              color={INK}
              bgColor={PAPER}
            />
          </span>
          <span className="visually-hidden">{label}</span>
        </>
      ) : (
        <img src={qr} alt={label} width={QR_SIDE} height={QR_SIDE} />
      )}
    </span>
  );
}

type DrawerProps = {
  row: Row | 'new';
  platforms: readonly string[];
  disabled: boolean;
  onTake: (fields: Fields) => void;
  onRemove: () => void;
  onClose: () => void;
};

function AccountDrawer({ row, platforms, disabled, onTake, onRemove, onClose }: DrawerProps) {
  const t = useMessages('content');
  const [form] = Form.useForm<Fields>();
  const listId = useId();
  const isNew = row === 'new';
  const required = [{ required: true, whitespace: true, message: t('fieldRequired') }];
  return (
    <Drawer
      open
      width="min(480px, 100vw)"
      title={isNew ? t('addAccount') : `${row.platform} · ${row.account}`}
      onClose={onClose}
      footer={
        disabled ? null : (
          <div className="drawer-foot">
            {!isNew && (
              <Popconfirm
                title={t('removeAsk', { name: row.account })}
                description={t('removeAccountWhy')}
                okText={t('remove')}
                okButtonProps={{ danger: true }}
                cancelText={t('cancel')}
                onConfirm={onRemove}
              >
                <Button danger type="text" className="drawer-foot-start">
                  {t('remove')}
                </Button>
              </Popconfirm>
            )}
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="primary" onClick={() => form.submit()}>
              {t('take')}
            </Button>
          </div>
        )
      }
    >
      <datalist id={listId}>
        {platforms.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Form
        form={form}
        name="service-account"
        layout="vertical"
        requiredMark={false}
        disabled={disabled}
        initialValues={isNew ? NEW : { ...row, accountType: row.accountType === AFTER_SALE ? AFTER_SALE : PRE_SALE }}
        onFinish={({ platform, accountType, account, referUrl, qr, listed }) =>
          onTake({
            platform: platform.trim(),
            accountType,
            account: account.trim(),
            referUrl: referUrl.trim(),
            qr,
            listed,
          })
        }
      >
        <Form.Item name="platform" label={t('key_platform')} rules={required}>
          <Input maxLength={64} autoComplete="off" list={listId} />
        </Form.Item>
        <Form.Item name="accountType" label={t('key_accountType')}>
          <Radio.Group
            options={[
              { value: PRE_SALE, label: t('preSale') },
              { value: AFTER_SALE, label: t('afterSale') },
            ]}
          />
        </Form.Item>
        <Form.Item name="account" label={t('key_account')} rules={required}>
          <Input maxLength={128} autoComplete="off" />
        </Form.Item>
        <Form.Item name="referUrl" label={t('key_referUrl')} extra={t('referUrlHint')}>
          <Input placeholder={t('linkBegins')} autoComplete="off" />
        </Form.Item>
        <Form.Item name="qr" label={t('key_qr')}>
          <PictureField label={t('key_qr')} disabled={disabled} />
        </Form.Item>
        <Form.Item name="listed" label={t('key_listed')} extra={t('listedHint')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </Form>
    </Drawer>
  );
}
