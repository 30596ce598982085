import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals, cookies }) => ({
  user: await locals.user(),
  theme: cookies.get('theme') ?? 'system',
})
