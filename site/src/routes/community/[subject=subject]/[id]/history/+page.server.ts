import { found } from '#lib/server/answers.ts'
import { historyOf } from '#lib/server/revisions.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const subject = subjectAt(params.subject)
  const calls = callsOf(locals.api, subject)
  const { id } = params
  const [thing, history] = await Promise.all([
    found(calls.get({ id })),
    historyOf({ url, locals, type: subject.type }, (page) => calls.revisions({ id, ...page })),
  ])
  return { title: subject.text(thing).title, url: subject.url(thing), history }
}
