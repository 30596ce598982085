import { signedIn } from '#lib/server/writing.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  const { username } = await signedIn(event)
  return { username }
}
