// The picture of an account that uploaded none. Its address decides it, so it never changes.
import { error } from '@sveltejs/kit'
import { drawFace } from '#lib/ui/faces.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ params, locals }) => {
  const svg = drawFace(params.name)
  if (svg === undefined) error(404, locals.t('errors.page.404'))
  const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=31536000, immutable' }
  return new Response(svg, { headers })
}
