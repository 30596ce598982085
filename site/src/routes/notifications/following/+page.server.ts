// What a member follows and muted, with a button to end that.
import { found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

const PER_PAGE = 30
const CHOICES = {
  all: { state: 'following', of: 'all' },
  members: { state: 'following', of: 'members' },
  things: { state: 'following', of: 'things' },
  muted: { state: 'muted', of: 'all' },
} as const

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { searchParams } = event.url
  const show = (['members', 'things', 'muted'] as const).find((one) => one === searchParams.get('show')) ?? 'all'
  const before = searchParams.get('before') ?? undefined
  const follows = await found(event.locals.api.follows.list({ ...CHOICES[show], before, per_page: PER_PAGE }))
  return { show, ...follows }
}
