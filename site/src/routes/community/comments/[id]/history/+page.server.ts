import { found } from '#lib/server/answers.ts'
import { historyOf } from '#lib/server/revisions.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const { api, t } = locals
  const [comment, history] = await Promise.all([
    found(api.comments.get({ id })),
    historyOf({ url, locals, type: 'comment' }, (page) => api.comments.revisions({ id, ...page })),
  ])
  return { author: comment.authorUsername ?? t('ui.aMember'), url: `/community/comments/${id}`, history }
}
