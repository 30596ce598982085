// The logo and the icon of this server, as an operator gave them. They are shown as images; opened alone they are in a sandbox.
import { error } from '@sveltejs/kit'
import { pictureNames } from '../../../../../src/surfaces/site/looks.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ locals, params, url }) => {
  const name = pictureNames.find((one) => one === params.name)
  const picture = name && locals.server.looks.pictures[name]
  if (!picture) error(404, locals.t('errors.page.404'))
  const isNamed = url.searchParams.get('v') === picture.version
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'Content-Type': picture.contentType,
      'Cache-Control': isNamed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      ETag: `"${picture.version}"`,
    },
  })
}
