import { found } from '#lib/server/answers.ts'
import { historyOf } from '#lib/server/revisions.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const { comments } = locals.api
  const [comment, history] = await Promise.all([
    found(comments.get({ id })),
    historyOf({ url }, (page) => comments.revisions({ id, ...page })),
  ])
  return { title: `a comment by ${comment.authorUsername ?? 'a member'}`, url: `/community/comments/${id}`, history }
}
