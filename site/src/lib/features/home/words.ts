// What waits for a member, and what is new, in one line each.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { typeWord } from '#lib/moderation.ts'

type News = Answer<'news.list'>

/** "mira replied to you on The digest is sent twice" */
export function newsWords(t: SiteWords, { type, by, target }: News['items'][number]): string {
  const what = target.title || t('home.yours', { kind: typeWord(t, target.type) })
  return t(`home.news.${type}`, { by: by ?? t('home.aMember'), what })
}

type PendingThing = News['pending'][number]

/** What has to be decided, and where; of a kind without words of its own, its title and the inbox. */
export function pendingWords(t: SiteWords, { type, by, title, id }: PendingThing): { text: string; href: string } {
  if (type === 'invitation') {
    return { text: t('home.pending.invitation', { by: by ?? t('home.aMember'), title }), href: '/library/invitations' }
  }
  if (type === 'approval') return { text: t('home.pending.approval', { title }), href: `/settings/pending/${id}` }
  return { text: t('home.pending.other', { title }), href: '/notifications' }
}
