import { error, redirect } from '@sveltejs/kit'
import { action, field } from '#lib/server/answers.ts'
import { boardsOf } from '#lib/server/boards.ts'
import { aboutIn } from '#lib/server/feedback.ts'
import { similarFirst } from '#lib/server/similar.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { preview, writing } from '#lib/server/writing.ts'
import { mayWrite, subjectAt } from '#lib/subjects.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await writing(event)
  const user = await event.locals.user()
  if (user && !mayWrite(subjectAt(event.params.subject), user)) error(403, event.locals.t('community.new.moderators'))
  const boards = subjectAt(event.params.subject).boards ? await boardsOf(event.locals) : []
  return {
    boards: boards.filter(({ can }) => can.write).map(({ slug, name }) => ({ value: slug, label: name })),
    comparesMeaning: event.locals.server.machines.meanings,
  }
}

const create = action(
  (form, { locals, params }: RequestEvent) => {
    const subject = subjectAt(params.subject)
    const fields = Object.fromEntries(subject.pages.fields.map(({ name }) => [name, field(form, name)]))
    const draft = subject.pages.drafts && form.has('draft') && { draft: true }
    const board = form.has('board') && { board: field(form, 'board') }
    const named = subject.about && aboutIn(form)
    const about = named && { about: named }
    return callsOf(locals.api, subject).create({ ...fields, ...draft, ...board, ...about } as never)
  },
  (thing, _, { params }) => redirect(303, subjectAt(params.subject).url(thing)),
  { written: true },
)

export const actions = {
  preview: (event) => {
    const { fields } = subjectAt(event.params.subject).pages
    return preview(fields.find(({ markdown }) => markdown)?.name ?? '', 'create')(event)
  },
  create: async (event: RequestEvent) => {
    const form = await event.request.clone().formData()
    return (await similarFirst(event.locals, form, subjectAt(event.params.subject).type)) ?? create(event)
  },
} satisfies Actions
