// What waits for a member, and what is new, in one line each.
import type { Answer } from '#lib/api.ts'

type News = Answer<'news.list'>

const acts: Readonly<Record<News['items'][number]['type'], string>> = {
  mention: 'mentioned you in',
  reply: 'replied to you on',
  comment: 'commented on',
  status: 'changed the status of',
  version: 'published a new version of',
  notice: 'The moderators decided about',
  release: 'released',
  posted: 'posted',
  invitation: 'invited you to',
  approval: 'An agent asks for your yes:',
}

/** "mira replied to you on The digest is sent twice" */
export function newsWords({ type, by, target }: News['items'][number]): string {
  const what = target.title || `your ${target.type}`
  return type === 'notice' || type === 'approval'
    ? `${acts[type]} ${what}`
    : `${by ?? 'A member'} ${acts[type] ?? 'changed'} ${what}`
}

const places: Readonly<Record<string, { words: string; href: string }>> = {
  invitation: { words: 'invites you to', href: '/library/invitations' },
}

/** What has to be decided; of a kind without words of its own, its title and the inbox. */
export function pendingWords({ type, id, title, by }: News['pending'][number]): { text: string; href: string } {
  if (type === 'approval') return { text: `An agent asks for your yes: ${title}`, href: `/settings/pending/${id}` }
  const place = places[type]
  const words = place ? `${by ?? 'A member'} ${place.words} ${title}` : `${title} waits for your decision`
  return { text: words, href: place?.href ?? '/notifications' }
}
