// The search of the site for browsers (OpenSearch 1.1, draft 6).
import { siteWordsOf } from '#lib/language/catalogue.ts'
import { xml } from '#lib/server/atom.ts'
import type { RequestHandler } from './$types'

/** In characters (OpenSearch 1.1, ShortName). */
const MAX_SHORT_NAME = 16

export const GET: RequestHandler = ({ locals, url: { origin } }) => {
  const { site, shortName } = locals.server.looks
  const t = siteWordsOf(site)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${xml([...shortName].slice(0, MAX_SHORT_NAME).join('').trim())}</ShortName>
<Description>${xml(t('search.ofSite'))}</Description>
<Url type="text/html" method="get" template="${xml(origin)}/search?q={searchTerms}"/>
<Url type="application/atom+xml" method="get" template="${xml(origin)}/search.atom?q={searchTerms}"/>
<Image width="32" height="32" type="image/svg+xml">${xml(origin)}/favicon.svg</Image>
<InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`
  const headers = { 'Content-Type': 'application/opensearchdescription+xml', 'Cache-Control': 'public, max-age=300' }
  return new Response(text, { headers })
}
