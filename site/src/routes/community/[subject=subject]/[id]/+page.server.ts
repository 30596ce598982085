import { redirect } from '@sveltejs/kit'
import { action, field, found, reasonIn, stay } from '#lib/server/answers.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { filtersOf, subjectAt } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

interface Params {
  subject: string
  id: string
}

const calls = ({ locals }: Pick<RequestEvent, 'locals'>, { subject }: Pick<Params, 'subject'>) =>
  callsOf(locals.api, subjectAt(subject))

export const load: PageServerLoad = async (event) => {
  const { id } = event.params
  const subject = subjectAt(event.params.subject)
  const api = calls(event, event.params)
  const [thing, comments] = await Promise.all([
    found(api.get({ id })),
    subject.parent ? thread(event, (range) => api.comments({ id, ...range })) : undefined,
  ])
  const { title, text } = subject.text(thing)
  const { can, authorId, authorUsername, createdAt, score, myVote, commentCount } = thing
  return {
    thing: { id, authorId, authorUsername, createdAt, score, myVote, commentCount, title },
    updatedAt: 'updatedAt' in thing ? thing.updatedAt : undefined,
    html: renderMarkdown(text),
    summary: plainText(text, 160),
    states: filtersOf(subject).map((filter) => ({ ...filter, value: Reflect.get(thing, filter.name) as State })),
    mayDelete: can.delete,
    mayDecide: subject.pages.decide !== undefined && Reflect.get(can, subject.pages.decide) === true,
    comments,
  }
}

export const actions = {
  ...commentActions<Params>({
    list: (event, { id, subject }, range) => calls(event, { subject }).comments({ id, ...range }),
    comment: (event, { id, subject }, body) => calls(event, { subject }).comment({ id, body }),
    remove: (event, { id, subject }, removal) => calls(event, { subject }).deleteComment({ id, ...removal }),
  }),
  decide: action(
    'decide',
    (form, event) => {
      const subject = subjectAt(event.params.subject)
      const values = filtersOf(subject).map(({ name }) => [name, field(form, name)])
      const input = { ...Object.fromEntries(values), id: event.params.id, reason: reasonIn(form) }
      return calls(event, event.params)[subject.pages.decide as 'triage'](input)
    },
    stay,
  ),
  delete: action(
    'delete',
    (form, event) => calls(event, event.params).delete({ id: event.params.id, reason: reasonIn(form) }),
    (_, __, { params }) => redirect(303, subjectAt(params.subject).path),
  ),
} satisfies Actions
