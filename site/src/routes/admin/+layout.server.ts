import { moderates } from '#lib/roles.ts'
import { judging, moderating } from '#lib/server/administration.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async (event) => {
  const user = await (/^\/admin\/cases(\/|$)/.test(event.url.pathname) ? judging(event) : moderating(event))
  return { administers: user.role === 'admin', moderates: moderates(user) }
}
