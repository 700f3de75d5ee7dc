import { Button, type RefSelectProps } from 'antd';
import { useId, useRef, useState } from 'react';
import { refreshUser } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { useOnline } from '../../../../shared/ui/use-online.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { toast } from '../../../../shared/ui/toast.js';
import { AUTO } from '../abilities.js';
import type { AddToHistory } from '../history.js';
import { type FileDropHandle, usePreventDropNavigation, useRestoreFocus } from '../media/file-drop.js';
import type { MediaAbilities } from '../media/media-abilities.js';
import { Cannot, MediaBars, MediaFrame } from '../media/media-frame.js';
import { MediaRefusal, MediaWaiting, QuotaLine } from '../media/media-result.js';
import { type MediaChannels, type MediaForm, useMediaForm } from '../media/use-media-form.js';
import { useMediaRequest } from '../media/use-media-request.js';
import type { Catalogue } from '../use-catalogue.js';
import { BlockList, RedrawnPicture } from './redrawn-picture.js';
import { MarkedPicture, NoPictureYet, SourcePicture } from './source-picture.js';
import { type Picture, usePaste, usePicture } from './picture.js';
import { type ImageAnswer, type PictureRequest, translatePicture } from './translate-picture.js';
import './image.css';

type ImageWorkspaceProps = {
  form: MediaForm;
  addToHistory: AddToHistory;
  active: boolean;
  /** Notes on text recognition with this channel. */
  known: string | null;
};

/** The original picture on the left (above on a phone), the translated one on the right, both with their texts below. */
function ImageWorkspace({ form, addToHistory, active, known }: ImageWorkspaceProps) {
  const t = useMessages('image');
  const media = useMessages('media');
  const say = useMessages('translation-test');
  const online = useOnline();
  const drop = useRef<FileDropHandle>(null);
  const sourceSelect = useRef<RefSelectProps>(null);
  const channelSelect = useRef<RefSelectProps>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const lineId = useId();
  const { direction, channel } = form;

  const { request, start, giveUp, clear } = useMediaRequest<PictureRequest, ImageAnswer>({
    bodyOf: ({ picture, source, target, channelId }) => JSON.stringify([picture.url, source, target, channelId]),
    run: translatePicture,
    onDone: (answer, { source, target, channelId }, seconds) => {
      const { text, translated, charged } = answer;
      const served = Number(channelId ?? form.payer.own.id);
      const read = { translated, source, target, channelId: served, charged, warning: null };
      const done = { channelId: served, request: { source, target, text }, seconds };
      addToHistory({ ...done, answer: { ...read, quality: 'translation' } }, 'image');
      toast.success(say('translatedWell'));
      // Refreshes the balance; a failure does not affect the translation.
      refreshUser().catch(() => undefined);
    },
  });
  const busy = request.status === 'busy';
  const { picture, problem, take } = usePicture(clear);
  usePaste(active && !busy, (file) => take(file, file.name));
  usePreventDropNavigation(active);
  useRestoreFocus(sendButton, `${picture?.url} ${request.status}`);

  const isOf = (input: PictureRequest): boolean => input.picture === picture;
  const done = request.status === 'done' && isOf(request.input) ? request : null;
  const send = (input: PictureRequest): void => {
    form.remember();
    setChosen(null);
    start(input);
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
      <MediaBars ref={sourceSelect} channelRef={channelSelect} form={form} targetLabel={t('target')} />
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
              <QuotaLine form={form} cost={picture === null ? 0 : 1} />
              <Button
                ref={sendButton}
                type="primary"
                disabled={picture === null}
                loading={busy}
                onClick={() => picture && send({ ...direction, picture, channelId: form.channelId })}
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
          {request.status === 'none' && <p className="tt-nothing">{t('resultPlaceholder')}</p>}
          {request.status === 'busy' && <MediaWaiting sent={request.sent} working={t('working')} onGiveUp={giveUp} />}
          {done && (
            <RedrawnPicture input={done.input} redrawn={done.answer} seconds={done.seconds}>
              <MarkedPicture
                src={done.answer.image}
                alt={t('drawnAlt')}
                size={done.input.picture}
                {...marks}
                textOf={({ translated }) => translated}
                lang={done.input.target}
              />
            </RedrawnPicture>
          )}
          {request.status === 'refused' && (
            <MediaRefusal
              error={request.error}
              kind="image"
              others={form.others.length > 0}
              steps={{
                onRetry: () => send(request.input),
                onLanguage: () => sourceSelect.current?.focus(),
                onFile: choose,
                onChannel: () => channelSelect.current?.focus(),
              }}
            />
          )}
        </div>
      </div>
      {done && (
        <BlockList
          blocks={done.answer.blocks}
          all={done.answer.translated}
          direction={done.input}
          chosen={chosen}
          onChoose={setChosen}
          idPrefix={lineId}
        />
      )}
    </div>
  );
}

type ImageTabProps = { catalogue: Catalogue; addToHistory: AddToHistory; active: boolean };

/** The image tab. */
export function ImageTab(props: ImageTabProps) {
  return (
    <MediaFrame kind="image" catalogue={props.catalogue}>
      {(able) => <Able {...props} {...able} />}
    </MediaFrame>
  );
}

type AbleProps = ImageTabProps & { abilities: MediaAbilities; channels: MediaChannels };

function Able({ abilities, channels, catalogue, ...rest }: AbleProps) {
  const media = useMessages('media');
  const form: MediaForm = useMediaForm({ catalogue, channels, abilities, kind: 'image' });
  if (form.nothing)
    return (
      <Cannot kind="image" channels={channels}>
        {media('nothing')}
      </Cannot>
    );
  return <ImageWorkspace form={form} known={abilities.image.reason} {...rest} />;
}
