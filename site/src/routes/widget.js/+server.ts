// The script that other sites include. It is the same for all of them, and knows nothing of this server but where it came from.

import { error } from '@sveltejs/kit'
import { readerWords } from '#lib/server/answers.ts'
import script from '../../widget/host.js?raw'
import type { RequestHandler } from './$types'

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

export const GET: RequestHandler = ({ locals }) => {
  if (locals.server.widgetSites.length === 0) error(404, readerWords()('errors.page.404'))
  return new Response(script, { headers: HEADERS })
}
