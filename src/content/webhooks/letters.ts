// The mail about a webhook that was disabled.
import { oneLine } from '../../contract/storable.ts'
import { type Letter, letter, quotedLines } from '../../mail/words.ts'

interface Disabled {
  baseUrl: string
  /** Where the site shows it. */
  path: string
  url: string
  reason: 'failing' | 'gone'
}

export const disabledLetter = ({ baseUrl, path, url, reason }: Disabled): Letter =>
  letter((t) => ({
    subject: t('mails.webhook.subject'),
    body: t('mails.webhook.body', {
      baseUrl,
      path,
      url: quotedLines(oneLine(url)),
      cause: t(`mails.webhook.${reason}`),
    }),
  }))
