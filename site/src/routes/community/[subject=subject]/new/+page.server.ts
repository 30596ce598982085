import { redirect } from '@sveltejs/kit'
import { attempt, field } from '#lib/server/answers.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { preview, writing } from '#lib/server/writing.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = writing

export const actions: Actions = {
  preview: (event) => preview(subjectAt(event.params.subject).pages.fields.at(-1)!.name)(event),
  create: async ({ request, locals, params, url }) => {
    const form = await request.formData()
    const subject = subjectAt(params.subject)
    const fields = Object.fromEntries(subject.pages.fields.map(({ name }) => [name, field(form, name)]))
    const sent = callsOf(locals.api, subject).create(fields as never)
    const { value, failure } = await attempt(sent, { form, url, written: true })
    if (failure) return failure
    redirect(303, subject.url(value))
  },
}
