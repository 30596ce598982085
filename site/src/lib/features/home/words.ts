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

type PendingThing = News['pending'][number]

/** What has to be decided, by its kind: in words, and where. */
const decisions: Readonly<Record<string, (one: PendingThing) => { text: string; href: string }>> = {
  invitation: ({ by, title }) => ({
    text: `${by ?? 'A member'} invites you to ${title}`,
    href: '/library/invitations',
  }),
  approval: ({ id, title }) => ({
    text: `An agent of yours waits for your approval: ${title}`,
    href: `/settings/pending/${id}`,
  }),
}

/** What has to be decided; of a kind without words of its own, its title and the inbox. */
export const pendingWords = (one: PendingThing): { text: string; href: string } =>
  decisions[one.type]?.(one) ?? { text: `${one.title} waits for your decision`, href: '/notifications' }
