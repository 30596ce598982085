// The preview of a Markdown field.
import { error } from '@sveltejs/kit'
import { renderLinkedText } from '#lib/server/rendering.ts'
import type { RequestHandler } from './$types'

const MAX_CHARACTERS = 20_000

export const POST: RequestHandler = async ({ request, locals }) => {
  if (!(await locals.user())) error(401, locals.t('community.preview.signIn'))
  const text = await request.text()
  if (text.length > MAX_CHARACTERS) error(413, locals.t('community.preview.long'))
  return new Response(await renderLinkedText(locals, text), {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Guildhall-Page': 'part' },
  })
}
