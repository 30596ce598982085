import { error, redirect } from '@sveltejs/kit'
import { takes } from '#lib/api.ts'
import { action, field, reasonIn } from '#lib/server/answers.ts'
import { aboutIn } from '#lib/server/feedback.ts'
import { readThing } from '#lib/server/merging.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { preview, seenIn, signedIn } from '#lib/server/writing.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** Texts are edited; what is chosen or closed is a decision. */
const textsOf = (folder: string) =>
  subjectAt(folder).pages.fields.filter(({ name }) => takes(`${folder as 'bugs'}.edit`, name))

/** A version as the form names it. */
const namedOf = ({ kind, slug, version }: { kind: string; slug: string; version: string }) => ({
  item: `${kind}/${slug}`,
  version,
})

/** What it is about from then on: nothing is said of what the form did not show. */
function aboutAfter(form: FormData) {
  const about = aboutIn(form)
  if (about) return { about }
  return field(form, 'hadAbout') ? { about: null } : {}
}

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
    about: 'about' in thing && thing.about ? namedOf(thing.about) : undefined,
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
        ...(subjectAt(params.subject).about && aboutAfter(form)),
        ...seenIn(form),
      })
    },
    (thing, _, { params }) => redirect(303, subjectAt(params.subject).url(thing)),
    { written: true },
  ),
} satisfies Actions
