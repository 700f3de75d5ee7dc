import { setTimeout as pause } from 'node:timers/promises';

import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

import type { MailFaults } from './mail-faults.js';
import type { MailContent, Mailbox } from './mailbox.js';

/** Largest message taken, in bytes of the SMTP DATA. */
export const MESSAGE_BYTES = 1024 * 1024;

/** Most recipients of one message. */
export const MAX_RECIPIENTS = 100;

/** A refusal with its SMTP reply code: 4xx asks the sender to try again, 5xx tells it not to. */
class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A real SMTP server on plain text, where anybody may sign in or not, that keeps whatever it is sent.
 * STARTTLS is not offered: its certificate could only be self-signed, and clients would rightly refuse it.
 */
export function smtpServer(mailbox: Mailbox, faults: MailFaults): SMTPServer {
  const server = new SMTPServer({
    banner: 'Yiqiao sandbox',
    name: 'sandbox.localhost',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: 200,
    socketTimeout: 2 * 60_000,
    closeTimeout: 200,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    // Faults meet a mail before it is handed over, so that one that was refused or given up on is never here as well.
    onMailFrom: (_address, _session, done) => void meetFault(faults).then(() => done(), done),
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      readLetter(stream)
        .then((content) => mailbox.deliver(content, recipients))
        .then(() => done(null, 'Kept'), done);
    },
  });
  // A client that breaks off or talks nonsense is its own problem; without a listener it would end the process.
  server.on('error', () => undefined);
  return server;
}

async function meetFault(faults: MailFaults): Promise<void> {
  const fault = faults.meet();
  if (fault.mode === 'refuse') throw new SmtpRefusal(451, 'Refused for now: a failure switch of the sandbox is on');
  if (fault.mode === 'slow') await pause(fault.delayMs, undefined, { ref: false });
}

async function readLetter(stream: SMTPServerDataStream): Promise<MailContent> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // The rest of an oversized message is still read, or its bytes would be taken for commands.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw new SmtpRefusal(552, `Message exceeds ${MESSAGE_BYTES} bytes`);
  try {
    const { subject, text, html } = await PostalMime.parse(Buffer.concat(chunks));
    return { subject: subject ?? '', text: text ?? '', html: html ?? '' };
  } catch {
    throw new SmtpRefusal(554, 'Message cannot be parsed');
  }
}
