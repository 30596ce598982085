// What all pages of the authorization server share: they work without JavaScript, load nothing, and cannot be framed.
import { createHash } from 'node:crypto'
import type { Reply } from '../../request/endpoint.ts'
import { Html, html } from './html.ts'

const style = `
:root { color-scheme: light dark; --brand: oklch(0.62 0.13 45); --canvas: light-dark(oklch(0.975 0.006 75), oklch(0.2 0.008 60)); --surface: light-dark(#fff, oklch(0.245 0.009 60));
  --ink: light-dark(oklch(0.25 0.015 60), oklch(0.93 0.008 75)); --ink-2: light-dark(oklch(0.45 0.015 60), oklch(0.75 0.012 70));
  --line: light-dark(oklch(0.25 0.015 60 / 12%), oklch(0.93 0.008 75 / 16%)); --control: light-dark(oklch(0.58 0.015 60), oklch(0.6 0.015 60));
  --accent: light-dark(oklch(from var(--brand) 0.5 c h), oklch(from var(--brand) 0.76 c h)); --on-accent: light-dark(#fff, oklch(0.2 0.02 45)); --danger: light-dark(oklch(0.48 0.17 27), oklch(0.77 0.13 25)) }
* { box-sizing: border-box }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 28rem; margin: 0 auto; padding: 48px 16px 64px }
header { font-weight: 650; letter-spacing: .01em; margin-bottom: 24px }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 8px; overflow-wrap: anywhere }
h2 { font-size: 14px; margin: 16px 0 4px; color: var(--ink-2); font-weight: 600 }
p { margin: 0 0 12px } ul { margin: 0; padding-left: 20px }
.quiet { color: var(--ink-2); font-size: 14px; overflow-wrap: anywhere }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 24px; margin-bottom: 16px }
label { display: block; font-weight: 600; font-size: 14px; margin: 16px 0 4px }
.help { color: var(--ink-2); font-size: 14px; margin: 0 0 4px }
input { width: 100%; font: inherit; color: inherit; background: var(--canvas); border: 1px solid var(--control); border-radius: 6px; padding: 8px 12px; min-height: 44px }
input[aria-invalid] { border-color: var(--danger) }
.error { color: var(--danger); font-size: 14px; margin: 4px 0 0 }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 24px }
button { flex: 1 1 8rem; font: inherit; font-weight: 600; min-height: 44px; padding: 8px 16px; border-radius: 6px; border: 1px solid var(--control); background: var(--surface); color: inherit; cursor: pointer }
button.accent { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
button.link { flex: none; min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; font-weight: 400 }
a { color: var(--accent) } .more { margin: 24px 0 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
form.inline { display: inline }
`

/** The style, with the operator's colour in the place of ours. */
const styleOf = (accent: string | undefined) => (accent ? `${style}:root { --brand: ${accent} }\n` : style)

/**
 * Where forms may lead: a browser holds the redirect after a form to the same rule, so the client's redirect is named. A
 * source cannot name an IPv6 address (CSP 3, 2.3.1); there the scheme must do.
 */
function formTargets(redirectUri: string | null): string {
  const uri = redirectUri ? URL.parse(redirectUri) : null
  if (!uri) return "'self'"
  const named = /^https?:$/.test(uri.protocol) && !uri.hostname.startsWith('[')
  return `'self' ${named ? uri.origin : uri.protocol}`
}

export interface Page {
  title: string
  content: Html
  status?: number
  /** The client's redirect URI, if a form on the page can lead there. */
  redirectUri?: string | null
  /** The colour of the site's buttons; see config/settings.ts. */
  accent?: string | undefined
}

export function page({ title, content, status = 200, redirectUri = null, accent }: Page): Reply {
  const sheet = styleOf(accent)
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Guildhall</title>
<style>${new Html(sheet)}</style>
</head>
<body>
<main>
<header>Guildhall</header>
${content}
</main>
</body>
</html>
`
  const hash = createHash('sha256').update(sheet).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action ${formTargets(redirectUri)}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body: document.text,
  }
}

export const redirect = (location: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: { Location: location },
  cookies,
  body: null,
})

/** What a person sees who came by a link that only leads to somewhere else: they decide whether to go there. */
export function leavingPage(location: string): Reply {
  const { protocol, host } = new URL(location)
  const content = html`<div class="card">
<h1>You are not signed in</h1>
<p>An app asked whether you are signed in to Guildhall, or sent a request that is not valid. It can go on at <strong>${host || protocol}</strong>.</p>
<p class="quiet">Only follow the link if you came from there.</p>
<p class="more"><a href="${location}" rel="noreferrer">Go on to ${host || protocol}</a></p>
</div>`
  return page({ title: 'You are not signed in', content, status: 400 })
}

/** What a person sees where no client can be told: an unknown client or redirect, a fault. */
export function errorPage(status: number, sentence: string): Reply {
  const content = html`<div class="card">
<h1>This cannot go on</h1>
<p>${sentence}</p>
<p class="quiet">Go back to the app you came from and start again. If it happens again, its makers need to know.</p>
</div>`
  return page({ title: 'This cannot go on', content, status })
}
