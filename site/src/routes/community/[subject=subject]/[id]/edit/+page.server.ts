import { error, redirect } from '@sveltejs/kit'
import { takes } from '#lib/api.ts'
import { action, field, reasonIn } from '#lib/server/answers.ts'
import { readThing } from '#lib/server/merging.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { preview, seenIn, signedIn } from '#lib/server/writing.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** Texts are edited; what is chosen or closed is a decision. */
const textsOf = (folder: string) =>
  subjectAt(folder).pages.fields.filter(({ name }) => takes(`${folder as 'bugs'}.edit`, name))

export const load: PageServerLoad = async (event) => {
  const { params } = event
  const user = await signedIn(event)
  const subject = subjectAt(params.subject)
  const thing = await readThing(event, subject)
  if (!thing.can.edit) error(403, event.locals.t('community.edit.refused'))
  const values = Object.fromEntries(textsOf(params.subject).map(({ name }) => [name, String(Reflect.get(thing, name))]))
  return {
    title: subject.text(thing).title,
    url: subject.url(thing),
    values,
    editedAt: thing.editedAt,
    owns: user.id === thing.authorId,
    isDraft: thing.state === 'draft',
  }
}

export const actions = {
  preview: (event) => {
    const { fields } = subjectAt(event.params.subject).pages
    return preview(fields.find(({ markdown }) => markdown)?.name ?? '', 'edit')(event)
  },
  edit: action(
    (form, { locals, params }: RequestEvent) => {
      const texts = Object.fromEntries(textsOf(params.subject).map(({ name }) => [name, field(form, name)]))
      return callsOf(locals.api, subjectAt(params.subject)).edit({
        ...{ id: params.id, ...texts, reason: reasonIn(form) },
        ...seenIn(form),
      })
    },
    (thing, _, { params }) => redirect(303, subjectAt(params.subject).url(thing)),
    { written: true },
  ),
} satisfies Actions
