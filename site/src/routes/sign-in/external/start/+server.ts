// Sends the browser to the external provider. Only our own sign-in page leads here: a link of another site leads to that page.
import { redirect } from '@sveltejs/kit'
import { destination } from '#lib/server/account.ts'
import { isRefusal } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals, request, url }) => {
  const to = destination(url)
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') redirect(303, `/sign-in?to=${encodeURIComponent(to)}`)
  const answer = await locals.api.external.begin({ to }).catch((thrown: unknown) => {
    if (!isRefusal(thrown)) throw thrown
    redirect(303, `/sign-in?to=${encodeURIComponent(to)}&external=${thrown.code ?? 'unauthorized'}`)
  })
  return new Response(null, { status: 303, headers: { Location: answer.url } })
}
