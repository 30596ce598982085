import { lastVisit, memberHome, visitorHome } from '#lib/server/home.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, cookies }) => {
  const user = await locals.user()
  return user
    ? { member: await memberHome(locals, user, lastVisit(cookies, Date.now())) }
    : { visitor: await visitorHome(locals) }
}
