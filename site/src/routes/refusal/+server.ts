// An error of the API in the reader's language, for the script of a page: the API itself speaks English.
import { refusalIn } from '#lib/language/refusals.ts'
import type { RequestHandler } from './$types'

const MAX_CHARACTERS = 1_000

export const POST: RequestHandler = async ({ request, locals: { t } }) => {
  const message = (await request.text()).slice(0, MAX_CHARACTERS)
  return new Response(refusalIn(t, message), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
