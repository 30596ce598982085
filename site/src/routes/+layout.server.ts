import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals }) => ({ user: await locals.user() })
