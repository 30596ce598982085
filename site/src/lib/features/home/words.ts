// What waits for a member, and what is new, in one line each.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { typeWord } from '#lib/moderation.ts'
import { operationWords } from '../../../../../src/language/operation-words.ts'

type News = Answer<'notifications.list'>['items'][number]

/** "mira replied to you on The digest is sent twice" */
export function newsWords(t: SiteWords, one: News): string {
  const { actor, target } = one
  const what = target.title || t('home.yours', { kind: typeWord(t, target.type) })
  return t(`home.news.${deedOf(one)}`, { by: actor?.username ?? t('home.aMember'), what })
}

/** What was done; some kinds of notifications have several deeds. */
function deedOf({ type, merged, unmergedFrom, change, invitation }: News) {
  if (merged) return 'merged'
  if (unmergedFrom) return 'unmerged'
  if (change) return change
  if (!invitation || invitation.state === 'open') return type
  if (invitation.role === 'transfer') return invitation.state === 'accepted' ? 'tookOver' : 'withdrew'
  if (invitation.state === 'accepted') return 'accepted'
  return invitation.role === 'owner' ? 'changedRole' : 'removed'
}

type PendingThing = Answer<'news.list'>['pending'][number]

/** What has to be decided, and where; of a kind without words of its own, its title and the inbox. */
export function pendingWords(
  t: SiteWords,
  { type, by, title, id, operation }: PendingThing,
): { text: string; href: string } {
  if (type === 'invitation') {
    return { text: t('home.pending.invitation', { by: by ?? t('home.aMember'), title }), href: '/library/invitations' }
  }
  if (type === 'approval') {
    const what = operationWords(t, { operation, summary: title })
    return { text: t('home.pending.approval', { title: what }), href: `/settings/pending/${id}` }
  }
  return { text: t('home.pending.other', { title }), href: '/notifications' }
}
