// A short address of the changelog's feed.
import { redirect } from '@sveltejs/kit'

export const GET = () => redirect(308, '/community/changelog.atom')
