// Asks crawlers to skip the pages of an account.
import type { RequestHandler } from './$types'

const PRIVATE = ['/settings', '/admin', '/sign-in', '/sign-up', '/onboarding', '/oauth/', '/api/auth/', '/api/account/']

export const GET: RequestHandler = ({ url: { origin } }) => {
  const lines = [
    'User-agent: *',
    ...PRIVATE.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ]
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }
  return new Response(lines.join('\n'), { headers })
}
