import { found } from '#lib/server/answers.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals, cookies }) => {
  const user = await locals.user()
  return {
    user,
    unread: user && user.deletionAt === null ? (await found(locals.api.notifications.count())).unread : 0,
    theme: cookies.get('theme') ?? 'system',
  }
}
