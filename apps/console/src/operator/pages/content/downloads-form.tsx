import type { SoftDownloads } from '@yiqiao/contracts/site-documents';
import { Button, Drawer, Form, Input, InputNumber, Popconfirm, Select } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { withValue } from './json.js';
import type { FormProps } from './site-info-form.js';

type Group = SoftDownloads[number];
type Item = Group['children'][number];
type Both = { zh: string; en: string };
type Fields = Omit<Item, 'id' | 'size' | 'requires' | 'notes'> & { size?: number | null; requires: Both; notes: Both };

const NOTHING: Both = { zh: '', en: '' };
const NEW: Fields = { label: '', enLabel: '', version: '', val: '', childId: [], requires: NOTHING, notes: NOTHING };

const nextId = (document: SoftDownloads): number =>
  Math.max(0, ...document.flatMap(({ id, children }) => [id, ...children.map((child) => child.id)])) + 1;

/** Optional fields that are empty are left out. */
function itemOf(id: number, { size, sha256, requires, notes, ...rest }: Fields): Item {
  const both = (texts: Both): texts is Both => texts.zh !== '' || texts.en !== '';
  return {
    id,
    ...rest,
    ...(typeof size === 'number' ? { size } : {}),
    ...(sha256 ? { sha256 } : {}),
    ...(both(requires) ? { requires } : {}),
    ...(both(notes) ? { notes } : {}),
  };
}

/** SOFT_DOWNLOAD_CONFIG: the downloads of the first list are those of the download page. */
export function DownloadsForm({ value, disabled, onChange }: FormProps<SoftDownloads>) {
  const t = useMessages('content');
  const [open, setOpen] = useState<{ group: number; n: number | null } | null>(null);
  const set = (group: number, children: Item[]): void =>
    onChange(value.map((each, at) => (at === group ? { ...each, children } : each)));
  const addGroup = (): void =>
    onChange([...value, { id: nextId(value), label: t('newGroup'), enLabel: 'Downloads', children: [] }]);
  const opened = open && value[open.group];
  return (
    <>
      {value.map((group, at) => (
        <section key={group.id} className="download-group">
          <div className="document-form">
            {(['label', 'enLabel'] as const).map((name) => (
              <Form.Item key={name} label={t(`group_${name}`)} htmlFor={`group-${group.id}-${name}`} layout="vertical">
                <Input
                  id={`group-${group.id}-${name}`}
                  maxLength={200}
                  disabled={disabled}
                  value={group[name]}
                  onChange={({ target }) => onChange(withValue(value, [at, name], target.value) as SoftDownloads)}
                />
              </Form.Item>
            ))}
          </div>
          <Items items={group.children} disabled={disabled} onOpen={(n) => setOpen({ group: at, n })} />
          {!disabled && (
            <p className="rows-foot">
              <Button icon={<Icon name="add" />} onClick={() => setOpen({ group: at, n: null })}>
                {t('addDownload')}
              </Button>
            </p>
          )}
        </section>
      ))}
      {value.length === 0 && !disabled && (
        <p className="rows-foot">
          <Button icon={<Icon name="add" />} onClick={addGroup}>
            {t('addGroup')}
          </Button>
        </p>
      )}
      {open && opened && (
        <ItemDrawer
          item={open.n === null ? null : (opened.children[open.n] ?? null)}
          siblings={opened.children}
          disabled={disabled}
          onTake={(fields) => {
            const { children } = opened;
            const { n } = open;
            if (n === null) set(open.group, [...children, itemOf(nextId(value), fields)]);
            else
              set(
                open.group,
                children.map((old, place) => (place === n ? itemOf(old.id, fields) : old)),
              );
            setOpen(null);
          }}
          onRemove={() => {
            const gone = open.n === null ? undefined : opened.children[open.n]?.id;
            const left = opened.children.filter(({ id }) => id !== gone);
            set(
              open.group,
              left.map((item) => ({ ...item, childId: item.childId.filter((id) => id !== gone) })),
            );
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function Items({ items, disabled, onOpen }: { items: Item[]; disabled: boolean; onOpen: (n: number) => void }) {
  const t = useMessages('content');
  if (items.length === 0) return <p className="muted download-none">{t('noDownloads')}</p>;
  return (
    <div className="table-scroll rows-scroll">
      <table className="rows-table">
        <thead>
          <tr>
            <th scope="col">{t('download')}</th>
            <th scope="col">{t('key_enLabel')}</th>
            <th scope="col">{t('key_version')}</th>
            <th scope="col">{t('key_val')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, n) => (
            <tr key={item.id}>
              <td>
                <b>{item.label}</b>
              </td>
              <td>{item.enLabel}</td>
              <td className="numeric">{item.version}</td>
              <td className="muted service-link">
                {item.childId.length > 0 ? t('inDialog', { n: item.childId.length }) : item.val || t('empty')}
              </td>
              <td className="end">
                <Button
                  type="link"
                  size="small"
                  aria-label={t('editOf', { name: item.label })}
                  onClick={() => onOpen(n)}
                >
                  {t(disabled ? 'look' : 'edit')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DrawerProps = {
  item: Item | null;
  siblings: Item[];
  disabled: boolean;
  onTake: (fields: Fields) => void;
  onRemove: () => void;
  onClose: () => void;
};

function ItemDrawer({ item, siblings, disabled, onTake, onRemove, onClose }: DrawerProps) {
  const t = useMessages('content');
  const [form] = Form.useForm<Fields>();
  const required = [{ required: true, whitespace: true, message: t('fieldRequired') }];
  const others = siblings.filter(({ id }) => id !== item?.id).map(({ id, label }) => ({ value: id, label }));
  return (
    <Drawer
      open
      width="min(520px, 100vw)"
      title={item?.label ?? t('addDownload')}
      onClose={onClose}
      footer={
        disabled ? null : (
          <div className="drawer-foot">
            {item && (
              <Popconfirm
                title={t('removeAsk', { name: item.label })}
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
      <Form
        form={form}
        name="download"
        layout="vertical"
        requiredMark={false}
        disabled={disabled}
        initialValues={{ ...NEW, ...item }}
        onFinish={onTake}
      >
        <Form.Item name="label" label={t('key_label')} rules={required}>
          <Input maxLength={200} />
        </Form.Item>
        <Form.Item name="enLabel" label={t('key_enLabel')} rules={required}>
          <Input maxLength={200} />
        </Form.Item>
        <Form.Item name="version" label={t('key_version')}>
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item name="val" label={t('key_val')} extra={t('valHint')}>
          <Input placeholder={t('linkBegins')} />
        </Form.Item>
        <Form.Item name="childId" label={t('key_childId')} extra={t('childIdHint')}>
          <Select mode="multiple" options={others} optionFilterProp="label" />
        </Form.Item>
        <Form.Item name="size" label={t('sizeBytes')}>
          <InputNumber min={1} precision={0} className="whole-width" />
        </Form.Item>
        <Form.Item
          name="sha256"
          label={t('key_sha256')}
          rules={[{ pattern: /^[0-9a-f]{64}$/i, message: t('sha256Wrong') }]}
        >
          <Input className="mono" />
        </Form.Item>
        {(['requires', 'notes'] as const).map((name) => [
          <Form.Item key={`${name}-zh`} name={[name, 'zh']} label={t('inChinese', { name: t(`key_${name}`) })}>
            <Input.TextArea rows={2} maxLength={2_000} />
          </Form.Item>,
          <Form.Item key={`${name}-en`} name={[name, 'en']} label={t('inEnglish', { name: t(`key_${name}`) })}>
            <Input.TextArea rows={2} maxLength={2_000} />
          </Form.Item>,
        ])}
      </Form>
    </Drawer>
  );
}
