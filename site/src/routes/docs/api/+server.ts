// Where the reference was before.
import { redirect } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = () => redirect(308, '/docs/reference')
