/** Generated images and recordings. */
import type { Page } from 'playwright-core';

/** A file for `setInputFiles`. */
export type UploadFile = { name: string; mimeType: string; buffer: Buffer };

/** These lines in black on white, as a screenshot of a separate page. */
export async function renderPicture(page: Page, lines: readonly string[], name = 'label.png'): Promise<UploadFile> {
  const easel = await page.context().newPage();
  await easel.setViewportSize({ width: 760, height: 420 });
  const style = 'margin:40px;font:44px/1.9 sans-serif;color:#111;background:#fff';
  await easel.setContent(`<body style="${style}">${lines.map((line) => `<div>${line}</div>`).join('')}</body>`);
  const buffer = await easel.screenshot();
  await easel.close();
  return { name, mimeType: 'image/png', buffer };
}

const RATE = 16_000;

/** A WAV recording (mono, 16-bit PCM) of a modulated tone, or of silence at loudness 0. */
export function makeRecording(seconds: number, loudness = 0.5, name = 'voice.wav'): UploadFile {
  const samples = Math.round(seconds * RATE);
  const buffer = Buffer.alloc(44 + samples * 2);
  buffer.write('RIFF', 0);
  buffer.writeUInt32LE(36 + samples * 2, 4);
  buffer.write('WAVEfmt ', 8);
  [16, 0x0001_0001, RATE, RATE * 2, 0x0010_0002].forEach((word, n) => buffer.writeUInt32LE(word, 16 + n * 4));
  buffer.write('data', 36);
  buffer.writeUInt32LE(samples * 2, 40);
  for (let n = 0; n < samples; n++) {
    const wave = Math.sin(n / 9) * (0.6 + 0.4 * Math.sin(n / 1_700));
    buffer.writeInt16LE(Math.round(wave * loudness * 32_767), 44 + n * 2);
  }
  return { name, mimeType: 'audio/wav', buffer };
}

/** Fakes a microphone with a tone from the next page load on: headless Chromium has none, not even a fake one. */
export async function fakeMicrophone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => {
      const context = new AudioContext();
      const tone = context.createOscillator();
      const air = context.createMediaStreamDestination();
      tone.connect(air);
      tone.start();
      return Promise.resolve(air.stream);
    };
  });
}

/**
 * From the next page load on, drops the first response of this call, whose work is done and charged. Returns the Idempotency-Keys of its
 * requests as they are sent.
 */
export async function dropFirstResponse(page: Page, call: string): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(call)) keys.push(request.headers()['idempotency-key']);
  });
  await page.addInitScript((path) => {
    let lost = false;
    window.XMLHttpRequest = class extends XMLHttpRequest {
      override open(method: string, url: string | URL): void {
        const lose = (event: Event): void => {
          if (lost) return;
          lost = true;
          event.stopImmediatePropagation();
          this.dispatchEvent(new ProgressEvent('error'));
        };
        if (String(url).endsWith(path)) this.addEventListener('load', lose);
        super.open(method, url, true);
      }
    };
  }, call);
  return keys;
}
