import { type Editor, useEditorState } from '@tiptap/react';
import { Button, Input, Popover } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

/** As the server keeps them: other links become text. */
const isTarget = (href: string): boolean =>
  /^https:\/\/[^\s@/]+\S*$/i.test(href) || /^mailto:\S+@\S+$/i.test(href) || /^\/(?![/\\])\S*$/.test(href);

const NONE = { heading: false, bold: false, italic: false, list: false, link: '', undo: false };

/** For the text that the caret is in, or was in last. */
export function Toolbar({ editor, disabled }: { editor: Editor | null; disabled: boolean }) {
  const t = useMessages('notice-desk');
  const on =
    useEditorState({
      editor,
      selector: ({ editor: current }) =>
        current && {
          heading: current.isActive('heading'),
          bold: current.isActive('bold'),
          italic: current.isActive('italic'),
          list: current.isActive('bulletList'),
          link: (current.getAttributes('link')['href'] as string | undefined) ?? '',
          undo: current.can().undo(),
        },
    }) ?? NONE;
  const off = disabled || editor === null;
  const run = (work: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>) => (): void => {
    if (editor) work(editor.chain().focus()).run();
  };
  const button = (
    name: 'heading' | 'bold' | 'italic' | 'list',
    face: React.ReactNode,
    work: Parameters<typeof run>[0],
  ) => (
    <button
      type="button"
      title={t(name)}
      aria-label={t(name)}
      aria-pressed={on[name]}
      disabled={off}
      onMouseDown={(event) => event.preventDefault()} // the caret stays where it is
      onClick={run(work)}
    >
      {face}
    </button>
  );
  return (
    <div className="rich-toolbar" role="toolbar" aria-label={t('format')}>
      {button('heading', t('faceHeading'), (chain) => chain.toggleHeading({ level: 3 }))}
      {button('bold', <b>{t('faceBold')}</b>, (chain) => chain.toggleBold())}
      {button('italic', <i>{t('faceItalic')}</i>, (chain) => chain.toggleItalic())}
      {button('list', <Icon name="list" />, (chain) => chain.toggleBulletList())}
      <LinkButton editor={editor} href={on.link} disabled={off} />
      <button
        type="button"
        title={t('undo')}
        aria-label={t('undo')}
        disabled={off || !on.undo}
        onMouseDown={(event) => event.preventDefault()}
        onClick={run((chain) => chain.undo())}
      >
        <Icon name="history" />
      </button>
    </div>
  );
}

function LinkButton({ editor, href, disabled }: { editor: Editor | null; href: string; disabled: boolean }) {
  const t = useMessages('notice-desk');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger="click"
      placement="bottomLeft"
      destroyOnHidden
      content={<LinkForm editor={editor} href={href} onClose={() => setIsOpen(false)} />}
    >
      <button type="button" title={t('link')} aria-label={t('link')} aria-pressed={href !== ''} disabled={disabled}>
        <Icon name="link" />
      </button>
    </Popover>
  );
}

function LinkForm({ editor, href, onClose }: { editor: Editor | null; href: string; onClose: () => void }) {
  const t = useMessages('notice-desk');
  const [given, setGiven] = useState(href);
  const isWrong = given.trim() !== '' && !isTarget(given.trim());
  const set = (): void => {
    if (!editor || isWrong) return;
    const target = given.trim();
    const chain = editor.chain().focus().extendMarkRange('link');
    if (target === '') chain.unsetLink().run();
    else if (editor.state.selection.empty && href === '')
      chain.insertContent({ type: 'text', text: target, marks: [{ type: 'link', attrs: { href: target } }] }).run();
    else chain.setLink({ href: target }).run();
    onClose();
  };
  return (
    <form
      className="rich-link"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // React's events go through the portal to the notice's form
        set();
      }}
    >
      <Input
        autoFocus
        aria-label={t('linkTarget')}
        placeholder={t('linkBegins')}
        status={isWrong ? 'error' : ''}
        value={given}
        onChange={({ target }) => setGiven(target.value)}
      />
      <Button htmlType="submit" disabled={isWrong}>
        {t(given.trim() === '' && href !== '' ? 'linkRemove' : 'linkSet')}
      </Button>
      <small className="faint">{t('linkHint')}</small>
    </form>
  );
}
