import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';

/** What notices may contain (clean-html.ts); whatever else is pasted becomes text. */
const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    strike: false,
    codeBlock: false,
    horizontalRule: false,
    trailingNode: false,
    // The members' page decides how links open.
    link: {
      openOnClick: false,
      autolink: true,
      protocols: ['mailto'],
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
];

type RichTextProps = {
  id?: string;
  label: string;
  lang: string;
  disabled?: boolean;
  value?: string;
  onChange?: (html: string) => void;
  /** When the caret comes in: the toolbar follows. */
  onEnter: (editor: Editor) => void;
  ref?: Ref<{ focus: () => void }>;
};

const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML());

/** Text with paragraphs, lists, small headings, emphasis and links, as a field of a form. */
export function RichText({ id, label, lang, disabled = false, value = '', onChange, onEnter, ref }: RichTextProps) {
  const written = useRef(value);
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    editable: !disabled,
    injectCSS: false, // in notice-desk.css
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        lang,
        class: 'rich-text',
        ...(id ? { id } : {}),
        ...(disabled ? { 'aria-disabled': 'true' } : {}),
      },
    },
    onFocus: ({ editor: focused }) => onEnter(focused),
    onUpdate: ({ editor: changed }) => {
      written.current = htmlOf(changed);
      onChange?.(written.current);
    },
  });
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);
  useEffect(() => {
    if (editor.isEditable === disabled) editor.setEditable(!disabled, false);
  }, [editor, disabled]);
  useImperativeHandle(ref, () => ({ focus: () => void editor.commands.focus() }), [editor]);
  return <EditorContent editor={editor} />;
}
