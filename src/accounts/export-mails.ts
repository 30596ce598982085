// Texts of the mails about exports.
import { type Letter, letter } from '../mail/words.ts'

/** After an export was prepared. It has no link to the archive itself: that asks for a credential. */
export const exportMail = (baseUrl: string, { expiresAt, size }: { expiresAt: string; size: number }): Letter =>
  letter((t) => ({
    subject: t('mails.export.subject'),
    body: t('mails.export.body', { baseUrl, size: t.bytes(size), day: t.day(expiresAt) }),
  }))

/** After an export failed for good. */
export const exportFailedMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.exportFailed.subject'), body: t('mails.exportFailed.body', { baseUrl }) }))
