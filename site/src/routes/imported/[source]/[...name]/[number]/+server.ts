// The addresses of another tracker, as a proxy sends them on: to the thing here.
import { redirect } from '@sveltejs/kit'
import { found } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, params: { source, name, number } }) => {
  const place = await found(locals.api.imports.locate({ source: source as 'github', name, number: Number(number) }))
  redirect(301, place.url)
}
