// Texts of the mails to guests.
import { shownText } from '../../formats/visible.ts'
import { inQuotes, type Letter, letter, quotedLines } from '../../mail/words.ts'

/** Asks whether the address wants it. Has no words of who asked: it would carry their message to any address. */
export const confirmLetter = ({ baseUrl, url }: { baseUrl: string; url: string }): Letter =>
  letter((t) => ({ subject: t('mails.guest.subject'), body: t('mails.guest.body', { baseUrl, url }) }))

export interface ThingToTell {
  title: string
  url: string
  preview: string
}

interface DigestParams {
  told: readonly ThingToTell[]
  /** Where there is more than it tells. */
  moreUrl: string | undefined
  baseUrl: string
  unsubscribeUrl: string
}

/** What is new, newest first. Members' words are quoted. */
export const guestLetter = ({ told, moreUrl, baseUrl, unsubscribeUrl }: DigestParams): Letter =>
  letter((t) => {
    const entries = told.map(({ title, url, preview }) => {
      const quoted = preview === '' ? [] : [quotedLines(shownText(preview))]
      return [t('mails.told.thing', { title: inQuotes(shownText(title)) }), ...quoted, baseUrl + url].join('\n')
    })
    const more = moreUrl === undefined ? [] : [t('mails.guest.more', { url: moreUrl })]
    const end = t('mails.guest.end', { unsubscribeUrl })
    return { subject: t('mails.guest.daily'), body: `${[...entries, ...more, end].join('\n\n')}\n` }
  })
