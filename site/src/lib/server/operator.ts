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
