import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { Button } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { download, save } from '../api/download.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { sizeText } from './size-text.js';

type DownloadButtonProps = {
  endpoint: Endpoint;
  /** The filters of the page as parameters of the endpoint. */
  query: Readonly<Record<string, string>>;
  disabled: boolean;
  /** A note about rows that the file omits. */
  note: string | null;
};

/** Downloads the table of the page. Leaving the page cancels it; a refusal is shown at the top of the page. */
export function DownloadButton({ endpoint, query, disabled, note }: DownloadButtonProps) {
  const t = useMessages('logs');
  const noteId = useId();
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const fetchTable = async (): Promise<void> => {
    if (running.current) return;
    const { signal } = (running.current = new AbortController());
    setBytes(0);
    try {
      const file = await download(endpoint, query, { signal, onBytes: setBytes });
      save(file);
      toast.success(t('downloaded', { name: file.name }));
    } catch (error) {
      const why = messageOf(error);
      if (why !== null) toast.error(why);
    } finally {
      running.current = undefined;
      setBytes(null);
    }
  };

  return (
    <div className="lg-download">
      <Button
        icon={<Icon name="download" />}
        classNames={{ icon: 'lg-download-icon' }}
        disabled={disabled}
        loading={bytes !== null}
        aria-describedby={note === null ? undefined : noteId}
        onClick={() => void fetchTable()}
      >
        {bytes === null ? t('download') : t('downloading', { size: sizeText(bytes) })}
      </Button>
      {note !== null && <small id={noteId}>{note}</small>}
    </div>
  );
}
