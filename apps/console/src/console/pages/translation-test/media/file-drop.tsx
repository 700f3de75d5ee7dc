import {
  type DragEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

export type FileDropHandle = { choose: () => void };

type FileDropProps = {
  className: string;
  /** As `<input accept>`. */
  accept: string;
  disabled: boolean;
  onFile: (file: File) => void;
  children: ReactNode;
  ref: Ref<FileDropHandle>;
};

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** A drop area and file chooser for one file; of several the first is taken. */
export function FileDrop({ className, accept, disabled, onFile, children, ref }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  // Entering a child fires a leave event of its parent, so enters and leaves are counted.
  const [depth, setDepth] = useState(0);
  useImperativeHandle(ref, () => ({ choose: () => input.current?.click() }));
  const take = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file && !disabled) onFile(file);
  };
  return (
    <div
      className={`${className} md-drop`}
      data-over={depth > 0 && !disabled}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth((n) => n + 1);
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDragLeave={(event) => {
        if (hasFiles(event)) setDepth((n) => Math.max(0, n - 1));
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = ''; // the same file can be chosen again
        }}
      />
      {children}
    </div>
  );
}

const stop = (event: globalThis.DragEvent): void => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
};

/** Browsers open a dropped file: one that misses the drop area must not replace the page. */
export function usePreventDropNavigation(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    addEventListener('dragover', stop);
    addEventListener('drop', stop);
    return () => {
      removeEventListener('dragover', stop);
      removeEventListener('drop', stop);
    };
  }, [active]);
}

/** Moves the focus to `next` when a change of `state` has removed the focused element. */
export function useRestoreFocus(next: RefObject<HTMLElement | null>, state: unknown): void {
  useEffect(() => {
    if (document.activeElement === document.body && next.current?.checkVisibility()) next.current.focus();
  }, [next, state]);
}
