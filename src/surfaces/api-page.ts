// /docs/api: the reference page, made by Scalar from /api/openapi.json in the reader's browser. Everything it loads is ours.
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { documentHeaders } from './http/headers.ts'
import type { Env } from './http/pipeline.ts'

/** Scalar's compressed bundle, as vendor/update.ts extracted it from its package. */
const VENDORED = new URL('../../vendor/api-reference/standalone.js.gz', import.meta.url)
const BUNDLE = '/docs/api/scalar.js'
const START = '/docs/api/start.js'

const page = (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta property="csp-nonce" content="${nonce}">
    <link rel="icon" href="data:,">
    <title>Guildhall API reference</title>
    <meta name="description" content="Every operation of the Guildhall API with its inputs, answers and errors.">
  </head>
  <body>
    <div id="reference"></div>
    <noscript><p>This page needs JavaScript. Without it: <a href="/docs/reference">the same to read</a>, and <a href="/api/openapi.json">for machines</a>.</p></noscript>
    <script src="${START}"></script>
    <script src="${BUNDLE}"></script>
  </body>
</html>
`

/**
 * Runs before the bundle, which adds style elements of several libraries: each gets the nonce. Its validation would test whether it
 * may compile code from text, which the policy refuses; so this script tells it that it may not. The bundle writes HTML itself, from
 * the description and from no text of members; code from text, and scripts from elsewhere, stay refused (Trusted Types).
 */
const SCRIPT = `globalThis.__zod_globalConfig = { jitless: true }
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (html) => html,
  createScript: () => null,
  createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
})
const { content: nonce } = document.querySelector('meta[property=csp-nonce]')
const createElement = document.createElement
document.createElement = function (...given) {
  const element = createElement.apply(this, given)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}))
`

/**
 * Scripts come only from this origin, style sheets from it or with the nonce. Style attributes are allowed: the bundle's images have
 * them in their markup, and they can only change the look of their own element.
 */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default vue dompurify 'allow-duplicates'",
  ].join('; ')

interface Packed {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

/** Mounts the page and its two scripts. The bundle is read at the first request. */
export function mountApiPage(app: Hono<Env>): void {
  let packed: Promise<Packed> | undefined
  const read = async (): Promise<Packed> => {
    const bytes = new Uint8Array(await readFile(VENDORED))
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
  }
  app.get('/docs/api', (c) => {
    const nonce = randomBytes(16).toString('base64url')
    const headers = { 'Content-Security-Policy': policy(nonce), 'Cache-Control': 'no-store' }
    return answer(c, page(nonce), { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
  })
  app.get(START, (c) => answer(c, SCRIPT, SCRIPT_TYPE))
  app.get(BUNDLE, async (c) => {
    packed ??= read()
    const { bytes, etag } = await packed
    const headers = { 'Cache-Control': 'public, max-age=3600', Vary: 'Accept-Encoding', ETag: etag }
    if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
    if (/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
      return answer(c, bytes, { ...SCRIPT_TYPE, ...headers, 'Content-Encoding': 'gzip' })
    }
    return answer(c, new Uint8Array(await promisify(gunzip)(bytes)), { ...SCRIPT_TYPE, ...headers })
  })
}

const SCRIPT_TYPE = { 'Content-Type': 'text/javascript; charset=utf-8' }

function answer(c: Context<Env>, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  const id = { 'X-Request-Id': c.env.requestId }
  return new Response(body, { headers: { 'Cache-Control': 'no-cache', ...documentHeaders, ...headers, ...id } })
}
