import { moderating } from '#lib/server/administration.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async (event) => {
  const { role } = await moderating(event)
  return { administers: role === 'admin' }
}
