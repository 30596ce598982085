// Sets the theme: light, dark or the system's. A cookie keeps it for a year.
import { redirect } from '@sveltejs/kit'
import { ownPath } from '#lib/own-path.ts'
import { field } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

const YEAR_SECONDS = 365 * 24 * 60 * 60

export const POST: RequestHandler = async ({ request, cookies, url }) => {
  const form = await request.formData()
  const theme = field(form, 'theme')
  const options = { path: '/', secure: url.protocol === 'https:', sameSite: 'lax', httpOnly: true } as const
  if (theme === 'light' || theme === 'dark') cookies.set('theme', theme, { ...options, maxAge: YEAR_SECONDS })
  else cookies.delete('theme', options)
  redirect(303, ownPath(field(form, 'back')))
}
