// Who runs the server, in the sentences of the privacy policy and the terms. What is not set is said to be so, or left out.
import type { SiteWords } from '#lib/language/catalogue.ts'

export interface Operator {
  name: string | undefined
  address: string | undefined
  /** A `mailto:` or `https:` URL. */
  contact: string | undefined
  /** The law that applies. */
  law: string | undefined
}

/** A setting within Markdown: it means nothing there. */
const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\[\]`*_<>&!#|]/g, '\\$&')

/** The texts in the place of `{operator_...}`; `host` is that of the site. */
export function operatorTexts(
  { name, address, contact, law }: Operator,
  host: string,
  t: SiteWords,
): Record<string, string> {
  const who = name ? plain(name) : t('docs.operator.unnamed', { host })
  const reached = contact && `[${plain(contact.replace(/^mailto:/, ''))}](<${contact}>)`
  return {
    operator_name: who,
    operator_imprint: [
      name ? plain(name) : t('docs.operator.unnamedFirst', { host }),
      address && plain(address),
      reached,
    ]
      .filter(Boolean)
      .join(', '),
    operator_contact: reached ?? (name ? plain(name) : t('docs.operator.unnamedAsked', { host })),
    operator_law: law ? t('docs.operator.law', { law: plain(law) }) : t('docs.operator.lawOfPlace'),
  }
}

/** For how many days is kept what clean-ups remove. */
export interface KeptDays {
  readNotifications: number
  unreadNotifications: number
  drafts: number
  deliveries: number
  mails: number
  networks: number
}

/** The texts in the place of `{kept_...}`: "30 days", in German as they are after "nach". */
export function keptTexts(kept: KeptDays, t: SiteWords): Record<string, string> {
  const days = (count: number) => t('docs.kept', { count })
  return {
    kept_read: days(kept.readNotifications),
    kept_unread: days(kept.unreadNotifications),
    kept_drafts: days(kept.drafts),
    kept_deliveries: days(kept.deliveries),
    kept_mails: days(kept.mails),
    kept_networks: days(kept.networks),
  }
}

/** The text in the place of `{machine_services}`: what goes to services of the operator, where there are any. */
export const machineTexts = (
  { classifier, ai, meanings }: { classifier: boolean; ai: boolean; meanings: boolean },
  t: SiteWords,
): Record<string, string> => ({
  machine_services: [
    classifier && t('docs.privacy.classifier'),
    ai && t('docs.privacy.ai'),
    meanings && t('docs.privacy.meanings'),
  ]

    .filter((sentence) => typeof sentence === 'string')
    .map((sentence) => `\n\n${sentence}`)
    .join(''),
})
