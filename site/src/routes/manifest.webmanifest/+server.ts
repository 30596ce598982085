// The web app manifest (W3C): how a browser that installs the site names and draws it.

import { pictureAddress } from '#lib/server/looks.ts'
import { FALLBACK } from '../../../../src/contract/languages.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ locals }) => {
  const { looks } = locals.server
  const { icon } = looks.pictures
  const own = icon && [{ src: pictureAddress(looks, 'icon'), type: icon.contentType, sizes: 'any', purpose: 'any' }]
  const manifest = {
    ...{ id: '/', start_url: '/', scope: '/', display: 'minimal-ui', lang: FALLBACK, dir: 'ltr' },
    ...{ name: looks.site.name, short_name: looks.shortName },
    ...{ theme_color: looks.grounds.light, background_color: looks.grounds.light },
    icons: own ?? [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180', purpose: 'any' },
    ],
  }
  const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=300' }
  return new Response(JSON.stringify(manifest), { headers })
}
