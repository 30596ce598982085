import { redirect } from '@sveltejs/kit'
import { action, choiceIn, field } from '#lib/server/answers.ts'
import { preview, writing } from '#lib/server/writing.ts'
import { severities } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = writing

export const actions = {
  preview: preview('description'),
  create: action(
    { written: true },
    (form, { locals }) =>
      locals.api.bugs.create({
        title: field(form, 'title'),
        description: field(form, 'description'),
        severity: choiceIn(form, 'severity', severities),
      }),
    ({ id }) => redirect(303, `/community/bugs/${id}`),
  ),
} satisfies Actions
