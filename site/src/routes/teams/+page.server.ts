// There is no list of all teams: a member's own are in the settings.
import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = () => redirect(303, '/settings/teams')
