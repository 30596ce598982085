// A vote without script: redirects back to the page of the form.
import { error, redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { errorIn, field } from '#lib/server/answers.ts'
import { kinds } from '#lib/ui/kinds.ts'
import type { RequestHandler } from './$types'

const folders = new Set(Object.values(kinds).map(({ votes }) => votes))
const TARGET = new RegExp(`^(${[...folders].join('|')})/[\\w-]+$`)

export const POST: RequestHandler = async ({ request, locals }) => {
  const form = await request.formData()
  const target = field(form, 'target')
  const back = ownPath(field(form, 'back'))
  if (!TARGET.test(target)) error(400, 'Unknown vote target')
  const response = await locals.send(`/api/community/${target}/vote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value: Number(field(form, 'value')) }),
  })
  if (response.status === 401) redirect(303, `/sign-in?to=${encodeURIComponent(back)}`)
  if (!response.ok) error(response.status, await errorIn(response))
  redirect(303, back)
}
