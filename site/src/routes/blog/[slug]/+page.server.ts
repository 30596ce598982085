import { found } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { withCopies } from '#lib/server/copies.ts'
import { trusted } from '#lib/server/documents.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

const parentOf = ({ locals, params: { slug } }: Pick<RequestEvent, 'locals' | 'params'>) => ({
  calls: locals.api.blog,
  key: { slug },
})

export const load: PageServerLoad = async (event) => {
  const { calls, key } = parentOf(event)
  const [post, comments] = await Promise.all([found(calls.get(key)), thread(event, parentOf(event))])
  const { body, ...rest } = post
  return { post: rest, html: withCopies(event.locals.t, trusted(body)), comments }
}

export const actions = commentActions(parentOf) satisfies Actions
