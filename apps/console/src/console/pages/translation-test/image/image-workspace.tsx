import { Button, type RefSelectProps } from 'antd';
import { useId, useRef, useState } from 'react';
import { refreshUser } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { toast } from '../../../../shared/ui/toast.js';
import { AUTO } from '../abilities.js';
import type { FileDropHandle } from '../media/file-drop.js';
import { MediaBars } from '../media/media-bars.js';
import { MediaRefusalPane } from '../media/media-refusal-pane.js';
import { MediaWaiting } from '../media/media-waiting.js';
import { QuotaLine } from '../media/quota-line.js';
import { useErrand } from '../media/use-errand.js';
import { useFocusKept } from '../media/use-focus-kept.js';
import type { MediaDesk } from '../media/use-media-desk.js';
import { useNoStrayDrop } from '../media/use-no-stray-drop.js';
import { useOnline } from '../../../../shared/online.js';
import type { Note } from '../visits.js';
import { BlockList } from './block-list.js';
import { DrawnPicture } from './drawn-picture.js';
import { MarkedPicture } from './marked-picture.js';
import type { Picture } from './picture.js';
import { NoPictureYet, SourcePicture } from './source-picture.js';
import { translatePicture, type AskedPicture, type Drawn } from './translate-picture.js';
import { usePaste } from './use-paste.js';
import { usePicture } from './use-picture.js';

type ImageWorkspaceProps = {
  desk: MediaDesk;
  note: Note;
  active: boolean;
  /** What there is to know of reading pictures here. */
  known: string | null;
};

/** A picture across the waterline: the original left (above on a phone), what has crossed right of it, both with their texts below. */
export function ImageWorkspace({ desk, note, active, known }: ImageWorkspaceProps) {
  const t = useTexts('image');
  const media = useTexts('media');
  const say = useTexts('translation-test');
  const online = useOnline();
  const drop = useRef<FileDropHandle>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const lineId = useId();
  const { direction, channel, payer } = desk;

  const { errand, start, giveUp, clear } = useErrand<AskedPicture, Drawn>({
    bodyOf: ({ picture, source, target }) => JSON.stringify([picture.url, source, target]),
    run: translatePicture,
    onDone: (answer, { source, target }, seconds) => {
      const { text, translated, charged } = answer;
      const read = { translated, source, target, channelId: channel.id, charged, warning: null };
      const done = { channelId: channel.id, asked: { source, target, text }, seconds };
      note({ ...done, answer: { ...read, quality: 'translation' } }, 'image');
      toast.success(say('translatedWell'));
      // The new balance; the translation stands even if this fails.
      refreshUser().catch(() => undefined);
    },
  });
  const busy = errand.status === 'busy';
  const { picture, problem, take } = usePicture(clear);
  usePaste(active && !busy, (file) => take(file, file.name));
  useNoStrayDrop(active);
  useFocusKept(sendButton, `${picture?.url} ${errand.status}`);

  const isOf = (asked: AskedPicture): boolean => asked.picture === picture;
  const done = errand.status === 'done' && isOf(errand.asked) ? errand : null;
  const send = (asked: AskedPicture): void => {
    desk.remember();
    setChosen(null);
    start(asked);
  };
  const choose = (): void => drop.current?.choose();
  const pick = (index: number): void => {
    setChosen(index);
    document.getElementById(`${lineId}${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const marks = { blocks: done?.answer.blocks ?? [], chosen, onChoose: setChosen, onPick: pick };
  const langOf = (code: string): string | undefined => (code === AUTO ? undefined : code);
  const original = (of: Picture) => (
    <MarkedPicture
      src={of.url}
      alt={t('originalAlt')}
      size={of}
      {...marks}
      textOf={({ text }) => text}
      lang={langOf(direction.source)}
    />
  );

  return (
    <div className="tt-work md-work" data-panes="1">
      <MediaBars ref={sourceSelect} desk={desk} targetLabel={t('target')} />
      <SourcePicture
        ref={drop}
        picture={picture}
        problem={problem}
        busy={busy}
        onFile={take}
        send={
          <>
            {picture !== null && !busy && (
              <button type="button" className="tt-clear" onClick={choose}>
                {t('change')}
              </button>
            )}
            <span className="tt-send">
              <QuotaLine desk={desk} cost={picture === null ? 0 : 1} />
              <Button
                ref={sendButton}
                type="primary"
                disabled={picture === null}
                loading={busy}
                onClick={() => picture && send({ ...direction, picture })}
              >
                {media(busy ? 'translating' : 'translate')}
              </Button>
            </span>
          </>
        }
      >
        <div className="im-stage">{picture === null ? <NoPictureYet onChoose={choose} /> : original(picture)}</div>
        {known !== null && (
          <p className="tt-warning">
            <Icon name="info" />
            <span>{known}</span>
          </p>
        )}
        {!online && (
          <p className="tt-offline" role="status">
            {media('offline')}
          </p>
        )}
      </SourcePicture>
      <div className="tt-targets">
        <div className="tt-pane tt-target" role="group" aria-label={channel.name} aria-live="polite" aria-busy={busy}>
          {errand.status === 'none' && <p className="tt-nothing">{t('resultPlaceholder')}</p>}
          {errand.status === 'busy' && <MediaWaiting sent={errand.sent} working={t('working')} onGiveUp={giveUp} />}
          {done && (
            <DrawnPicture asked={done.asked} drawn={done.answer} seconds={done.seconds}>
              <MarkedPicture
                src={done.answer.image}
                alt={t('drawnAlt')}
                size={done.asked.picture}
                {...marks}
                textOf={({ translated }) => translated}
                lang={done.asked.target}
              />
            </DrawnPicture>
          )}
          {errand.status === 'refused' && (
            <MediaRefusalPane
              error={errand.error}
              kind="image"
              main={payer.own.main}
              steps={{
                onRetry: () => send(errand.asked),
                onLanguage: () => sourceSelect.current?.focus(),
                onFile: choose,
              }}
            />
          )}
        </div>
      </div>
      {done && (
        <BlockList
          blocks={done.answer.blocks}
          all={done.answer.translated}
          direction={done.asked}
          chosen={chosen}
          onChoose={setChosen}
          idPrefix={lineId}
        />
      )}
    </div>
  );
}
